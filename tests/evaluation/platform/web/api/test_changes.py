"""Operations that change something: fields, names of rows, keys, and a track led from pool to archive."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from assessment.models import Assignment, Judgment
from evaluation.models import Announcement, EntryRules, Mail, Operation, Phase, Task, Team, User
from evaluation.tracks.work.operations.actions import run_operation
from evaluation.tracks.work.queueing import claim_work
from tests.assessment.factories import judge, make_assignment
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import (
    dates_of,
    make_assessor,
    make_family,
    make_organizer,
    make_pool,
    make_run,
    make_task,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.JUDGING, topic_count=2, document_count=3)


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def program(organizer: User) -> Client:
    return program_of(organizer)


def post(program: Client, task: Task, rest: str, status: int = 202, key: str = "", **sent: Any) -> Any:
    """The JSON of the answer, which has the status."""
    headers = {"Idempotency-Key": key} if key else {}
    answer = program.post(address_of(task, rest), sent, headers=headers)
    assert answer.status_code == status, answer.json()
    return answer.json()


def work(program: Client, task: Task, operation: dict[str, Any]) -> dict[str, Any]:
    """Run the operation as a worker does; it is done afterwards."""
    assert operation["state"] == "waiting"
    claimed = claim_work(Operation, worker="w")
    assert claimed
    run_operation(operation=claimed)
    ended: dict[str, Any] = program.get(address_of(task, f"/operations/{operation['id']}")).json()
    assert ended["state"] == "done", ended["message"]
    return ended


def test_program_leads_a_track_from_the_pool_to_the_archive(program: Client, task: Task) -> None:
    make_run(task, tag="r1", results={"T1": ["D1", "D2"], "T2": ["D3"]})
    assessor = make_assessor(task.track)
    drawn = work(program, task, post(program, task, "/pools/preview", name="main", per_topic=5))
    assert drawn["findings"]["size"] == 3
    pool = work(program, task, post(program, task, "/pools/freeze", name="main"))
    assert pool["message"].startswith("Pool main is frozen: 3 items.")
    work(program, task, post(program, task, "/judging/assign", pool="main", second_percent=0))
    listed = program.get(address_of(task, "/assignments")).json()["items"]
    assert {(each["topic"], each["assessor"], each["item_count"]) for each in listed} == {
        ("T1", assessor.name, 2),
        ("T2", assessor.name, 1),
    }
    for assignment in Assignment.objects.all():
        for item in assignment.items.all():
            judge(assignment, item.docno, 2)
    published = work(program, task, post(program, task, "/judging/publish"))
    assert published["message"] == "Published people (version 1) with 3 graded."
    scores = ContentFile(b"T1 0 D1 2\nT1 0 D2 0\nT2 0 D3 1\n", "scores.qrels")
    brought = work(
        program, task, post(program, task, "/scores/import", name="mine", pool="main", file=scores)
    )
    (job,) = program.get(address_of(task, "/jobs")).json()["items"]
    assert brought["findings"] == {"job": job["id"]}
    fitted = post(program, task, f"/jobs/{job['id']}/mappings", 201, rule="fixed-cuts", cut_1=1, cut_2=2)
    assert fitted["thresholds"] == [1.0, 2.0]
    work(program, task, post(program, task, f"/jobs/{job['id']}/publish", mapping=fitted["name"]))
    names = [each["name"] for each in program.get(address_of(task, "/qrels")).json()["items"]]
    assert names == ["people", "mine"]
    post(program, task, "/report/recompute")
    assert "is confirmed" in post(program, task, "/release", 200, words=task.name)["message"]
    track = f"/api/v1/tracks/{task.track.slug}"
    assert program.post(f"{track}/archive").json()["is_archived"]
    assert program.post(f"{track}/announcements", {"subject": "x"}).status_code == 409
    assert not program.post(f"{track}/restore").json()["is_archived"]


def test_field_that_is_not_sent_has_the_value_that_the_page_proposes(program: Client, task: Task) -> None:
    run = make_run(task, type="manual", pool_depth=7)
    family = make_family(task, name="CLIP-based")
    post(program, task, f"/runs/{run.pk}/settings", 200, families="CLIP-based")
    run.refresh_from_db()
    assert (run.type, run.pool_depth, list(run.families.all())) == ("manual", 7, [family])


@pytest.mark.parametrize(
    ("sent", "where", "what"),
    [
        (
            {"pool": "x", "judge": "y"},
            "form judge",
            "no row is named so. Send an id or a name: none exists yet.",
        ),
        ({"pool": "x", "colour": "red"}, "form colour", "no such field"),
        ({}, "form judge", "required"),
    ],
)
def test_field_that_cannot_be_used_is_named(
    program: Client, task: Task, sent: dict[str, str], where: str, what: str
) -> None:
    errors = post(program, task, "/jobs", 422, **sent)["errors"]
    assert errors[0]["where"] == where
    assert what in errors[0]["what"]


def test_row_that_two_share_a_name_with_is_chosen_by_its_id(program: Client, task: Task) -> None:
    make_run(task, results={"T1": ["D1"]})
    work(program, task, post(program, task, "/pools/freeze", name="main"))
    people = [make_assessor(task.track, name="Ada") for _ in range(2)]
    work(program, task, post(program, task, "/judging/assign", pool="main", second_percent=0))
    (assignment,) = Assignment.objects.all()
    (other,) = [person for person in people if person != assignment.assessor]
    address, sent = f"/assignments/{assignment.pk}", {"what": "reassign"}
    refused = post(program, task, address, 422, **sent, to="Ada")
    assert "2 rows are named so" in refused["detail"]
    assert f"{other.pk} (Ada)" in refused["detail"]
    made = post(program, task, address, 200, **sent, to=other.email)
    assert (made["assessor"], made["id"] != assignment.pk) == ("Ada", True)


def test_judgments_do_not_count_and_count_again(program: Client, task: Task) -> None:
    assessor = make_assessor(task.track, name="Ada")
    assignment = make_assignment(make_pool(task, pairs=[("T1", "D1"), ("T1", "D2")]), assessor=assessor)
    for docno in ("D1", "D2"):
        judge(assignment, docno, 1)
    task.time_zone = "Europe/Berlin"
    task.save()
    sent = {"assessor": assessor.email, "topic": "T1", "since": "2020-07-01T12:00", "reason": "random keys"}
    made = post(program, task, "/judging/exclusions", 200, **sent)
    assert datetime.fromisoformat(made["since"]) == datetime(2020, 7, 1, 10, tzinfo=UTC)
    assert made == {
        "id": made["id"],
        "assessor": "Ada",
        "topic": "T1",
        "since": made["since"],
        "until": None,
        "reason": "random keys",
        "judgment_count": 2,
        "is_undone": False,
    }
    assert not Judgment.objects.counted().exists()
    assert post(program, task, "/judging/exclusions", 422, **sent)["type"] == "urn:trackside:excluded-already"
    undone = post(program, task, f"/judging/exclusions/{made['id']}/undo", 200)
    assert (undone["id"], undone["judgment_count"], undone["is_undone"]) == (made["id"], 2, True)
    assert Judgment.objects.counted().count() == 2


def test_key_is_used_once_and_not_by_a_request_that_was_refused(
    program: Client, task: Task, team: Team
) -> None:
    run, key = make_run(task, team), str(uuid.uuid4())
    post(program, task, f"/runs/{run.pk}/notes", 422, key=key, text=" ")
    post(program, task, f"/runs/{run.pk}/notes", 201, key=key, text="Please check the tag.")
    again = post(program, task, f"/runs/{run.pk}/notes", 409, key=key, text="Please check the tag.")
    assert again["type"] == "urn:trackside:key-used"
    assert run.notes.count() == 1
    post(program_of(make_organizer(task.track)), task, f"/runs/{run.pk}/notes", 201, key=key, text="Mine.")
    assert post(program, task, f"/runs/{run.pk}/notes", 422, key="x", text="a")["errors"][0]["where"] == (
        "header Idempotency-Key"
    )


def test_refused_change_stores_nothing(program: Client, task: Task) -> None:
    before = Announcement.objects.count(), Mail.objects.count()
    address = f"/api/v1/tracks/{task.track.slug}/announcements"
    answer = program.post(address, {"audience": "nobody", "subject": "a", "text": "b"})
    (error,) = answer.json()["errors"]
    assert error["where"] == "form audience"
    assert error["what"].endswith("Choose one of: everybody, teams, no-run, rejected, approved, assessors.")
    assert (Announcement.objects.count(), Mail.objects.count()) == before


def test_team_is_made_applies_and_is_decided(task: Task, organizer: User) -> None:
    Task.objects.update(**dates_of(Phase.OPEN))
    track = f"/api/v1/tracks/{task.track.slug}"
    EntryRules.objects.create(track=task.track, needs_approval=True)
    leader, owner = program_of(organizer), program_of(User.objects.create_verified("o@example.org", "p"))
    made = owner.post(f"{track}/teams", {"name": "Kestrel"}).json()
    assert (made["name"], made["application"]) == ("Kestrel", None)
    assert owner.get(f"{track}/registration").json() == {"needs_approval": True}
    team = f"{track}/teams/{made['id']}"
    assert owner.post(f"{team}/apply", {"words": "We do CLIP."}).json()["application"] == "waiting"
    assert owner.post(f"{team}/sign", {"agreement_sha256": "0" * 64}).json()["type"] == "urn:trackside:gone"
    assert leader.post(f"{team}/decide", {"decision": "approve"}).json()["application"] == "approved"
    assert owner.post(f"{team}/decide", {"decision": "approve"}).status_code == 404
    assert leader.post(f"{team}/rename", {"name": "Mine"}).status_code == 404
    assert owner.get(f"{track}/teams").json()["items"][0]["application"] == "approved"
