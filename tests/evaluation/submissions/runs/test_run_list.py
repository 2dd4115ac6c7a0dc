"""The list of a task's runs, the table of their settings, and the page that uploads one."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Run, RunState, SubmissionQuestion, Task, User
from evaluation.results.values.actions import compute_values
from evaluation.submissions.runs.forms import RunUploadForm, teams_to_upload_for
from tests.factories import (
    make_assessor,
    make_family,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def address_of(task: Task) -> str:
    return reverse("run_list", args=[task.track.slug, task.slug])


def listed(client: Client, task: Task) -> list[Run]:
    return list(client.get(address_of(task)).context["runs"])


def test_list_has_a_team_s_own_uploads_and_all_of_them_for_organizers(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    first, second = make_team(task.track, name="Avocet"), make_team(task.track, name="Bittern")
    theirs = [make_run(task, second, tag=tag) for tag in ("b", "a")]
    own = make_run(task, first, tag="c")
    rejected = make_run(task, first, state=RunState.REJECTED)
    make_run()  # of another task
    client.force_login(make_team_member(first))
    assert listed(client, task) == [rejected, own]
    client.force_login(make_organizer(task.track))
    assert listed(client, task) == [rejected, own, theirs[1], theirs[0]]


def test_list_shows_families_to_who_may_see_them(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    run = make_run(task)
    run.families.add(make_family(task, name="sparse"))
    client.force_login(run.received_by)
    assert b"sparse" not in client.get(address_of(task)).content
    client.force_login(make_organizer(task.track))
    assert b"sparse" in client.get(address_of(task)).content


def test_list_is_filtered_by_team_family_and_state(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    first, second = make_team(task.track, name="Avocet"), make_team(task.track, name="Bittern")
    sparse, dense = make_family(task, name="sparse"), make_family(task, name="dense")
    runs = [make_run(task, first, tag="a"), make_run(task, second, tag="b"), make_run(task, second, tag="c")]
    rejected = make_run(task, first, state=RunState.REJECTED)
    runs[0].families.add(sparse)
    runs[1].families.add(sparse, dense)
    client.force_login(make_organizer(task.track))
    for asked, wanted in (
        ({"team": "Bittern"}, runs[1:]),
        ({"family": "sparse"}, runs[:2]),
        ({"state": "rejected"}, [rejected]),
        ({"team": "Bittern", "family": "dense", "state": "accepted"}, [runs[1]]),
        ({"team": "Nobody"}, []),
    ):
        page = client.get(address_of(task), asked)
        assert list(page.context["runs"]) == wanted
    assert b"No run meets these filters." in page.content
    client.force_login(make_team_member(first))
    page = client.get(address_of(task))
    assert b"Bittern" not in page.content
    assert b"sparse" not in page.content  # a team sees no family before the release


def test_list_has_the_first_measure_where_its_qrels_are_visible_and_leads_to_the_comparison(
    client: Client,
) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, measures=["P@1", "AP"])
    run = make_run(task, tag="a", results={"T1": ["D1", "D2"]})
    qrels = make_qrels(task, name="people", grades={("T1", "D1"): 1})
    compute_values(qrels=qrels, runs=[run], measures=["P@1", "AP"])
    client.force_login(make_team_member(run.team))
    page = client.get(address_of(task))
    assert page.context["rows"] == [(run, None)]
    assert b"people" not in page.content
    client.force_login(make_organizer(task.track))
    page = client.get(address_of(task))
    assert page.context["rows"] == [(run, 1.0)]
    compared = f"?number=T1&amp;a={run.pk}"
    assert compared in page.content.decode()
    address = reverse("topic_list", args=[task.track.slug, task.slug])
    topic = client.get(f"{address}{compared}".replace("&amp;", "&"), follow=True)
    assert topic.context["runs"][0] == run
    assert topic.headers["X-Robots-Tag"] == "noindex, nofollow"
    plain = reverse("topic_detail", args=[task.track.slug, task.slug, task.topics.get().pk])
    assert "X-Robots-Tag" not in client.get(plain).headers
    client.force_login(make_assessor(task.track))
    assert "?number=" not in client.get(address_of(task)).content.decode()


def settings_of(task: Task) -> str:
    return reverse("run_settings", args=[task.track.slug, task.slug])


def table_of(runs: list[Run], **cells: object) -> dict[str, object]:
    """What the table sends: nothing in a cell, except in those that are named."""
    form = {"form-TOTAL_FORMS": len(runs), "form-INITIAL_FORMS": len(runs)}
    return form | {f"form-{place}-id": run.pk for place, run in enumerate(runs)} | cells


def test_table_sets_families_and_pooling_of_several_runs(client: Client) -> None:
    task = make_task()
    family = make_family(task)
    runs = [make_run(task, make_team(task.track, name=f"team {name}"), tag=name) for name in "ab"]
    client.force_login(make_organizer(task.track))
    answer = client.post(
        settings_of(task),
        table_of(runs, **{"form-0-families": family.pk, "form-1-pool_depth": 7, "form-1-pool_priority": 1}),
    )
    assert answer.status_code == 302
    first, second = (Run.objects.get(pk=run.pk) for run in runs)
    assert list(first.families.all()) == [family]
    assert (second.pool_depth, second.pool_priority, second.families.count()) == (7, 1, 0)


def test_declared_families_are_offered_at_the_upload_and_the_suggested_one_is_ticked(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    family = make_family(task)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    assert f'<option value="{family.name}">' in client.get(_address(task)).content.decode()
    run = make_run(task, suggested_family=family.name.upper())
    client.force_login(make_organizer(task.track))
    (form,) = client.get(settings_of(task)).context["formset"].forms
    assert form["families"].value() == [family.pk]
    client.post(settings_of(task), table_of([run], **{"form-0-families": family.pk}))
    assert list(run.families.all()) == [family]


def test_rejected_run_keeps_its_file_name_in_the_list(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    make_run(task, state=RunState.REJECTED, file_name="bm25-final.run")
    client.force_login(make_organizer(task.track))
    assert "bm25-final.run</a>" in client.get(address_of(task)).content.decode()


def test_table_takes_neither_runs_nor_families_of_another_task(client: Client) -> None:
    task, other = make_task(), make_task()
    run, foreign = make_run(task), make_run(other)
    foreign_family = make_family(other)
    client.force_login(make_organizer(task.track))
    client.post(settings_of(task), table_of([foreign], **{"form-0-pool_depth": 3}))
    client.post(settings_of(task), table_of([run], **{"form-0-families": foreign_family.pk}))
    assert Run.objects.get(pk=foreign.pk).pool_depth is None
    assert not Run.objects.get(pk=run.pk).families.exists()


RUN_FILE = b"T1 Q0 D1 1 1.0 kestrel-1\r\n"


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/runs/upload/"


def _form(member: User) -> dict[str, object]:
    return {
        "team": member.memberships.get().team_id,
        "file": SimpleUploadedFile("kestrel-1.run", RUN_FILE),
        "description": "Dense.",
    }


def test_upload_keeps_the_bytes_and_goes_to_the_run_s_page(client: Client) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1, document_count=1)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    answer = client.post(_address(task), _form(member))
    run = Run.objects.get()
    assert answer.headers["Location"] == _address(task).replace("upload", str(run.pk))
    assert (run.state, run.received_by, run.description) == (RunState.RECEIVED, member, "Dense.")
    assert (run.upload.read(), run.file_name) == (RUN_FILE, "kestrel-1.run")


def test_upload_stores_the_description_of_the_run(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    SubmissionQuestion.objects.create(task=task, name="training", text="Trained on?", is_required=True)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    refused = client.post(_address(task), _form(member))
    assert "reply_training" in refused.context["form"].errors
    said = {"type": "automatic", "backbone": "CLIP", "suggested_family": "dense", "reply_training": "AToMiC"}
    client.post(_address(task), _form(member) | said)
    run = Run.objects.get()
    assert (run.type, run.backbone, run.suggested_family) == ("automatic", "CLIP", "dense")
    assert run.replies == {"training": "AToMiC"}


def test_organizer_without_a_team_is_not_told_of_own_uploads(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task)).content.decode()
    assert "Your uploads" not in page
    assert "all uploads that you may see" in page


def test_upload_that_replaces_a_run_starts_with_its_description(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    old = make_run(task, team, tag="kestrel-1", description="A dense one.")
    client.force_login(make_team_member(team))
    page = client.get(_address(task), {"replaces": old.pk}).content.decode()
    assert 'id="upload"' in page
    assert "The task takes no runs now" not in page
    assert "A dense one." in page
    assert "kestrel-1" in page
    foreign = make_run(task, description="Another team's.")
    assert "Another team" not in client.get(_address(task), {"replaces": foreign.pk}).content.decode()


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_upload_out_of_time_is_refused_on_the_page(client: Client, phase: Phase) -> None:
    task = make_task(phase=phase)
    member = make_team_member(make_team(task.track))
    client.force_login(member)
    page = client.get(_address(task)).content.decode()
    assert 'id="upload"' not in page
    assert "The task takes no runs now" in page
    answer = client.post(_address(task), _form(member))
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors()
    assert not Run.objects.exists()


def test_upload_page_sends_people_without_team_to_make_one(client: Client) -> None:
    client.force_login(make_user())
    page = client.get(_address(make_task(phase=Phase.OPEN))).content.decode()
    assert "You belong to no team" in page
    assert '<button class="first">' not in page


def test_form_offers_members_their_teams_of_the_track_and_organizers_its_baselines() -> None:
    task, elsewhere = make_task(), make_track()
    own, other = make_team(task.track), make_team(task.track)
    baseline = make_team(task.track, is_baseline=True)
    make_team(elsewhere)
    make_team(elsewhere, is_baseline=True)
    member = make_team_member(own)
    for person, offered in (
        (member, [own]),
        (make_organizer(task.track), [baseline]),
        (make_assessor(task.track), []),
        (make_organizer(elsewhere), []),
    ):
        assert list(teams_to_upload_for(task, person)) == offered
    assert "team" in RunUploadForm({"team": other.pk}, task=task, by=member).errors
