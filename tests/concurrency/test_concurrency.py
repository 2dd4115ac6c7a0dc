"""Two concurrent requests: the second waits for the first and sees its changes."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.models import Judgment
from assessment.publishing.actions import publish_judgments
from evaluation.models import (
    Document,
    Membership,
    Operation,
    OperationOutcome,
    Phase,
    Pool,
    QrelsKind,
    Role,
    Run,
    RunState,
    Team,
    Track,
    User,
)
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.submissions.pools.actions import build_pool
from evaluation.submissions.pools.operations import FREEZE
from evaluation.submissions.runs.checking import check_run
from evaluation.submissions.runs.editing import withdraw_run
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.teams.invitations import accept_invitation, invite_member
from evaluation.tasks import run_operations
from evaluation.tracks.work.operations.actions import OperationUnderWay, start_operation
from judges.jobs.budgets import settle_shard
from judges.jobs.starting import start_job
from judges.models import Budget, Judge, LedgerEntry, Shard
from judges.prompts.actions import create_prompt
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.concurrency.concurrent_calls import at_once
from tests.factories import (
    make_organizer,
    make_pool,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.judges.factories import make_generator, make_image_pool
from trackside.backends.registry import BACKENDS
from trackside.errors import InputError
from trackside.findings.provenance import PeopleProvenance

pytestmark = pytest.mark.django_db(transaction=True)


PASSWORD = "a brand new passphrase"


def invited(track: Track, email: str) -> str:
    """The token of a new invitation."""
    tokens: list[str] = []

    def keep(token: str) -> str:
        tokens.append(token)
        return "/"

    invite_member(track=track, email=email, by=make_organizer(track), accept_url=keep)
    return tokens[0]


def posted(address: str, form: dict[str, Any], person: User | None = None) -> Callable[[], int]:
    """The status of a form that the person sends."""
    client = Client()
    if person:
        client.force_login(person)
    return lambda: client.post(address, form).status_code


def test_run_that_is_withdrawn_during_a_check_is_not_replaced() -> None:
    task = make_task(topic_count=1, document_count=1)
    run = make_run(task, tag="kestrel")
    fresh = receive_run(
        task=task,
        team=run.team,
        file=ContentFile(b"T1 Q0 D1 1 0.5 kestrel\n", "a.run"),
        description="",
        by=make_team_member(run.team),
    )
    at_once(lambda: withdraw_run(run=run, by=run.received_by), lambda: check_run(run_id=fresh.pk))
    states = list(Run.objects.order_by("pk").values_list("state", "replaces"))
    assert states == [(RunState.WITHDRAWN, None), (RunState.ACCEPTED, None)]


def test_team_does_not_withdraw_a_run_that_is_being_pooled() -> None:
    task = make_task(topic_count=1, document_count=2)
    run = make_run(task)
    organizer = make_organizer(task.track)
    found = at_once(
        lambda: build_pool(task=task, name="first", seed=1, by=organizer),
        lambda: withdraw_run(run=run, by=run.received_by),
    )
    assert isinstance(found, InputError)
    assert found.code == "run-settled"
    assert Run.objects.get().state == RunState.ACCEPTED


def test_run_that_is_being_withdrawn_is_not_pooled() -> None:
    task = make_task(topic_count=1, document_count=2)
    run = make_run(task)
    organizer = make_organizer(task.track)
    found = at_once(
        lambda: withdraw_run(run=run, by=run.received_by),
        lambda: build_pool(task=task, name="first", seed=1, by=organizer),
    )
    assert isinstance(found, InputError)
    assert found.code == "no-runs-to-pool"
    assert not Pool.objects.exists()


def test_two_clicks_at_once_start_one_operation() -> None:
    task = make_task(topic_count=1, document_count=2)
    organizer = make_organizer(task.track)

    def start() -> Operation:
        return start_operation(task=task, kind=FREEZE, about="first", by=organizer)

    assert isinstance(at_once(start, start), OperationUnderWay)
    assert Operation.objects.count() == 1


def test_two_workers_at_once_run_an_operation_once() -> None:
    task = make_task(topic_count=1, document_count=2)
    make_run(task)
    options = {"name": "first", "seed": 1}
    start_operation(task=task, kind=FREEZE, by=make_organizer(task.track), about="first", options=options)
    assert at_once(run_operations, run_operations) is None
    assert Operation.objects.get().outcome == OperationOutcome.DONE
    assert Pool.objects.count() == 1


def test_judgment_is_saved_while_qrels_are_published() -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 1)
    task, by = assignment.pool.task, assignment.pool.created_by

    def save() -> bool:
        judge(assignment, "D2", 2)
        return task.qrels.exists()

    is_published = at_once(lambda: publish_judgments(task=task, by=by), save)
    assert is_published is False, "the judgment waited for the end of the publication"
    assert task.qrels.get().graded_count == 1
    assert Judgment.objects.count() == 2


def test_two_publications_at_once_are_two_versions() -> None:
    task, by = make_task(), make_user()
    pairs = [GradedPair("T1", "D1", 1, None, "ok")]

    def publish() -> int:
        return publish_qrels(
            task=task, name="people", kind=QrelsKind.HUMAN, pairs=pairs, provenance=PeopleProvenance(), by=by
        ).version

    assert at_once(publish, publish) == 2


def test_two_invitations_accepted_at_once_make_one_member() -> None:
    track, person = make_track(), make_user()
    tokens = [invited(track, person.email) for _ in range(2)]
    status = at_once(
        lambda: accept_invitation(token=tokens[0], by=person),
        posted(f"/invitations/{tokens[1]}/", {}, person),
    )
    assert status in (200, 409)
    assert Membership.objects.filter(user=person, role=Role.ASSESSOR).count() == 1


def test_invitations_of_two_tracks_accepted_at_once_make_one_account() -> None:
    tokens = [invited(make_track(), "new@example.org") for _ in range(2)]
    status = at_once(
        lambda: accept_invitation(token=tokens[0], by=None, name="First", password=PASSWORD),
        posted(f"/invitations/{tokens[1]}/", {"name": "Second", "password": PASSWORD}),
    )
    assert status == 409
    assert User.objects.get(email="new@example.org").name == "First"


def test_scores_imported_twice_at_once_make_one_judge() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=2)
    pool = make_pool(task)
    organizer = make_organizer(task.track)
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/scores/import/"

    def form() -> dict[str, Any]:
        file = ContentFile(b"topic,docno,score\nT1,D1,0.5\n", "scores.csv")
        return {"name": "theirs", "pool": pool.pk, "file": file}

    first = posted(address, form(), organizer)
    assert at_once(first, posted(address, form(), organizer)) in (200, 409)
    run_operations()
    assert Judge.objects.count() == 1


def test_prompts_of_two_organizers_at_once_do_not_break_the_page() -> None:
    task = make_task()
    track = task.track
    first, second = make_organizer(track), make_organizer(track)
    form = {"name": "words", "answer": "relevance-1-100", "source": ""}
    address = f"/tracks/{track.slug}/tasks/{task.slug}/prompts/new/"
    status = at_once(
        lambda: create_prompt(
            name="words", template="One {fields} {image}", answer="relevance-1-100", by=first, track=track
        ),
        posted(address, form | {"template": "Two {fields} {image}"}, second),
    )
    assert status in (302, 409)


def test_team_names_that_look_alike_are_not_taken_at_once() -> None:
    task = make_task()
    first, second = make_team(task.track), make_team(task.track)
    owners = [make_team_member(team) for team in (first, second)]
    names = [f"/tracks/{task.track.slug}/teams/{team.pk}/rename/" for team in (first, second)]
    status = at_once(
        posted(names[0], {"name": "Kestrel"}, owners[0]), posted(names[1], {"name": "KESTREL"}, owners[1])
    )
    assert status in (200, 409)
    first.refresh_from_db()
    assert first.name == "Kestrel"


def test_upload_sent_twice_at_once_is_one_run() -> None:
    task = make_task(phase=Phase.OPEN)
    member = make_team_member(make_team(task.track))
    [team] = Team.objects.all()
    key = uuid.uuid4()

    def send() -> Run:
        file = ContentFile(b"T1 Q0 D1 1 1 kestrel\n", "a.run")
        return receive_run(task=task, team=team, file=file, description="", by=member, client_uuid=key)

    assert at_once(send, send) == Run.objects.get()


def test_judgment_sent_twice_at_once_is_stored_once() -> None:
    assignment, key = make_assignment(), uuid.uuid4()

    def grade() -> Judgment:
        return judge(assignment, "D1", 2, client_uuid=key)

    assert at_once(grade, grade) == Judgment.objects.get()


def test_one_number_for_two_judgments_at_once_is_refused_once() -> None:
    pool = make_judging_pool()
    first = make_assignment(pool)
    other, key = make_assignment(pool, topic="T2", assessor=first.assessor), uuid.uuid4()
    document = Document.objects.get(collection=pool.task.collection, docno="D1")
    item = other.items.get(docno="D1")
    sent = {
        "image_sha256": document.image_id or "",
        "criteria_version": 1,
        "mark": 1,
        "client_uuid": key,
        "shown_at": timezone.now().isoformat(),
    }
    address = reverse("judgment_record", args=[other.pk, item.place])
    status = at_once(lambda: judge(first, "D1", 2, client_uuid=key), posted(address, sent, first.assessor))
    assert status < 500
    assert Judgment.objects.get().topic == "T1"


def test_two_sweepers_charge_the_requests_of_a_dead_worker_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "scripted", "tests.judges.factories:ScriptedGenerator")
    job = start_job(judge=make_generator(), pool=make_image_pool(), by=make_staff())
    shard = job.shards.earliest("pk")
    Budget.objects.over(job).update(reserved_micros=100)
    Shard.objects.filter(pk=shard.pk).update(reserved_micros=100)
    LedgerEntry.objects.create(job=job, shard=shard, request_key="a", bound_micros=70)

    def settle() -> None:
        settle_shard(shard=Shard.objects.get(pk=shard.pk))

    at_once(settle, settle)
    budgets = Budget.objects.over(job).values_list("reserved_micros", "spent_micros")
    assert list(budgets) == [(0, 70), (0, 70)]
