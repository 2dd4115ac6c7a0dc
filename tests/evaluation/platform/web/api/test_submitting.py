"""Submitting by API: the same action as on the page, and no second run for a request sent twice."""

from __future__ import annotations

import uuid
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.http import UnreadablePostError
from django.test import Client

from evaluation.models import Phase, Run, RunState, RunVerdict, SubmissionQuestion, Task, Team, User
from evaluation.submissions.runs.checking import check_run
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import dates_of, make_run, make_team, make_team_member
from trackside.checks import Verdict

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

CONTENT = b"T1 Q0 D1 1 0.5 kestrel\nT2 Q0 D1 1 0.5 kestrel\nT3 Q0 D9 1 nan kestrel\n"


def submit(program: Client, task: Task, *, key: str = "", content: bytes = CONTENT, **given: Any) -> Answer:
    headers = {"Idempotency-Key": key} if key else {}
    fields = {"file": ContentFile(content, "kestrel.run"), **given}
    return program.post(address_of(task, "/runs"), fields, headers=headers)


def test_run_is_received_and_checked_with_the_verdict_of_trackside_check(
    program: Client, task: Task, sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    SubmissionQuestion.objects.create(task=task, name="training", text="Trained?", kind="yes-no")
    with django_capture_on_commit_callbacks(execute=True):
        answer = submit(program, task, description="Dense.", type="manual", replies='{"training": "yes"}')
    assert (answer.status_code, answer.json()["state"]) == (201, "received")
    run = Run.objects.get()
    assert sent == [("evaluation.check_run", (run.pk,))]
    assert (run.team.name, run.description, run.upload.read()) == ("Kestrel", "Dense.", CONTENT)
    assert (run.type, run.replies) == ("manual", {"training": "yes"})
    assert answer["Location"] == address_of(task, f"/runs/{run.pk}")
    pending = program.get(answer["Location"] + "/verdict")
    assert (pending.status_code, pending.json()["type"]) == (409, "urn:trackside:verdict-pending")
    check_run(run_id=run.pk)
    assert program.get(answer["Location"]).json()["state"] == "rejected"
    verdict = program.get(answer["Location"] + "/verdict").json()
    assert {each["code"] for each in verdict["faults"]} == {"unknown_docno", "score_not_finite"}
    assert Verdict.from_json(verdict).to_json() == verdict == RunVerdict.objects.get().content


def test_request_sent_again_is_answered_with_the_same_run(
    program: Client, task: Task, sent: list[Any]
) -> None:
    key = str(uuid.uuid4())
    first = submit(program, task, key=key)
    again = submit(program, task, key=key)
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    assert Run.objects.count() == 1
    type(task).objects.update(**dates_of(Phase.CLOSED))  # the time of arrival counts
    assert submit(program, task, key=key).json() == first.json()
    other = submit(program, task, key=key, content=CONTENT[:-1])
    assert (other.status_code, other.json()["type"]) == (409, "urn:trackside:key-used-twice")


def test_key_is_valid_for_its_sender_only(program: Client, task: Task, team: Team, sent: list[Any]) -> None:
    key = str(uuid.uuid4())
    submit(program, task, key=key)
    mate = program_of(make_team_member(team))
    assert submit(mate, task, key=key).status_code == 201
    assert Run.objects.count() == 2


def test_team_must_be_named_by_a_person_with_several(task: Task, member: User, sent: list[Any]) -> None:
    other = make_team(task.track, name="Merlin")
    member.memberships.create(track=task.track, team=other, role="team_member")
    program = program_of(member)
    unnamed = submit(program, task)
    assert (unnamed.status_code, unnamed.json()["type"]) == (422, "urn:trackside:team-not-named")
    assert "Kestrel, Merlin" in unnamed.json()["detail"]
    assert submit(program, task, team="Osprey").status_code == 422
    assert submit(program, task, team="Merlin").json()["team"] == "Merlin"


def test_body_that_is_too_large_is_not_read(program: Client, task: Task, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    answer = submit(program, task)
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:trackside:upload-too-large")
    unread = submit(program, task, content=bytes(2**20 + 100))
    assert (unread.status_code, "may have 10" in unread.json()["detail"]) == (413, True)


def test_text_that_the_database_cannot_store_is_refused(program: Client, task: Task) -> None:
    assert submit(program, task, description="a\0b").status_code == 422
    assert submit(program, task, replies='{"a": "\\u0000"}').status_code == 422
    assert submit(program, task, key="no uuid").status_code == 422


def test_reply_that_fits_no_question_is_named(program: Client, task: Task) -> None:
    for replies, kind in (('{"training": "yes"}', "reply-unknown"), ("yes", "misfit"), ("[]", "misfit")):
        answer = submit(program, task, replies=replies)
        assert (answer.status_code, answer.json()["type"]) == (422, f"urn:trackside:{kind}")


def test_run_is_withdrawn_once(program: Client, task: Task, team: Team) -> None:
    run = make_run(task, team)
    address = address_of(task, f"/runs/{run.pk}/withdraw")
    assert program.post(address).json()["state"] == RunState.WITHDRAWN
    again = program.post(address)
    assert (again.status_code, again.json()["type"]) == (409, "urn:trackside:run-not-accepted")


@pytest.mark.parametrize("missing", [0, 1, 30, 60])
def test_truncated_form_is_refused(missing: int) -> None:
    """Whether the file or only the form's last line is cut."""
    body = (
        b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.run"\r\n\r\n'
        + CONTENT
        + b"\r\n--edge--\r\n"
    )
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": "multipart/form-data; boundary=edge",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body[: len(body) - missing]),
    }
    request = WSGIRequest(environ)
    if missing:
        with pytest.raises(UnreadablePostError):
            request.FILES  # noqa: B018 - reading it parses the form
        assert not request.FILES
    else:
        arrived = request.FILES["file"]
        assert isinstance(arrived, UploadedFile)
        assert arrived.read() == CONTENT
