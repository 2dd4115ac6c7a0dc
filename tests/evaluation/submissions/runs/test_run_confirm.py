"""A run that looks upside down does not count before its team confirms it."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import ImportKind, Mail, Run, RunState, Task, TeamLimit
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.platform.access.tokens import Scope
from evaluation.submissions.runs.checking import confirm_order
from tests.evaluation.organizing.imports.importing import add_import, codes_of, try_import, zip_of
from tests.evaluation.platform.web.api.conftest import program_of
from tests.evaluation.submissions.runs.checking import checked, codes, receive
from tests.factories import make_organizer, make_task, make_team, make_team_member
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]

RISING = b"".join(b"T1 Q0 D%d %d %d kestrel\n" % (n, n, n) for n in (1, 2, 3))
FALLING = b"".join(b"T1 Q0 D%d %d %d kestrel\n" % (n, n, -n) for n in (1, 2, 3))


@pytest.fixture
def asked() -> Run:
    task = make_task(topic_count=1, document_count=3)
    return checked(receive(task, make_team(task.track), RISING))


def _page(client: Client, run: Run) -> str:
    address = reverse("run_detail", args=[run.task.track.slug, run.task.slug, run.pk])
    return client.get(address).content.decode()


def _confirm(client: Client, run: Run) -> str:
    address = reverse("run_confirm", args=[run.task.track.slug, run.task.slug, run.pk])
    return client.post(address, follow=True).content.decode()


def test_upside_down_run_waits_and_counts_once_its_team_confirms_it(client: Client, asked: Run) -> None:
    assert (asked.state, asked.tag, "upside_down" in codes(asked, "warnings")) == (RunState.ASKED, "", True)
    assert not Run.objects.accepted().exists()
    subject = Mail.objects.get().subject
    assert subject.startswith("Is its order as you meant it?")
    words = {action.text for action in organizer_needs(_with_phase(asked.task))}
    assert "1 upload has a doubtful order" in words
    client.force_login(make_team_member(asked.team))
    assert "A higher score is better: count it" in _page(client, asked)
    assert "Accepted:" in _confirm(client, asked)
    asked.refresh_from_db()
    assert (asked.state, asked.tag) == (RunState.ACCEPTED, "kestrel")
    assert asked.rankings.count() == 1
    assert "Only a run that waits for its team is confirmed." in _confirm(client, asked)


def _with_phase(task: Task) -> Task:
    return Task.objects.with_phase().select_related("track").get(pk=task.pk)


def test_mended_file_counts_and_the_asked_one_cannot_overtake_it(asked: Run) -> None:
    member = make_team_member(asked.team)
    mended = checked(receive(asked.task, asked.team, FALLING))
    assert (mended.state, mended.replaces) == (RunState.ACCEPTED, None)
    with refused("run-overtaken"):
        confirm_order(run=asked, by=member)


def test_confirmed_run_replaces_the_team_s_earlier_run_of_the_tag() -> None:
    task = make_task(topic_count=1, document_count=3)
    team = make_team(task.track)
    first, second = checked(receive(task, team, FALLING)), checked(receive(task, team, RISING))
    first.refresh_from_db()
    assert (first.state, second.state) == (RunState.ACCEPTED, RunState.ASKED)
    confirm_order(run=second, by=make_team_member(team))
    first.refresh_from_db()
    assert first.state == RunState.REPLACED


def test_asked_run_cannot_take_a_tag_or_a_place_that_is_gone_by_now(asked: Run) -> None:
    member, rival = make_team_member(asked.team), make_team(asked.task.track)
    TeamLimit.objects.create(task=asked.task, team=asked.team, max_runs=1)
    checked(receive(asked.task, asked.team, FALLING.replace(b"kestrel", b"merlin")))
    with refused("run-cannot-count"):
        confirm_order(run=asked, by=member)
    TeamLimit.objects.all().delete()
    checked(receive(asked.task, rival, FALLING))
    with refused("run-cannot-count"):
        confirm_order(run=asked, by=member)


def test_only_its_team_confirms_a_run(client: Client, asked: Run) -> None:
    with refused("not-of-team"):
        confirm_order(run=asked, by=make_team_member(make_team(asked.task.track)))
    client.force_login(make_organizer(asked.task.track))
    assert "count it" not in _page(client, asked)
    _confirm(client, asked)
    asked.refresh_from_db()
    assert asked.state == RunState.ASKED


def test_program_confirms_a_run(asked: Run) -> None:
    program = program_of(make_team_member(asked.team), Scope.READ, Scope.SUBMIT)
    address = f"/api/v1/tracks/{asked.task.track.slug}/tasks/{asked.task.slug}/runs/{asked.pk}"
    assert program.get(address).json()["state"] == "asked"
    assert program.post(f"{address}/confirm").json()["state"] == "accepted"


def test_import_leaves_out_an_upside_down_baseline() -> None:
    task = make_task(topic_count=1, document_count=3)
    team = make_team(task.track, is_baseline=True)
    files = {"a.run": RISING, "b.run": FALLING.replace(b"kestrel", b"merlin")}
    done = add_import(try_import(task, ImportKind.RUNS, zip_of(files), team))
    assert done.counts is not None
    assert (done.counts["added"], codes_of(done)) == (1, {"run_rejected": 1})
    assert list(Run.objects.values_list("tag", "state")) == [("merlin", "accepted")]
