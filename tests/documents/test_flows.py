"""The five flows of docs/architecture.md make the drawn calls, in the drawn order."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from evaluation.config.celery import app
from evaluation.models import Import, Phase, QrelsKind, Run, RunState, Task, Topic
from evaluation.tracks.work.recomputing.actions import ask_results
from judges.models import Job, Mapping
from tests.assessment.assigning.sent_judgments import sent
from tests.assessment.factories import make_assignment
from tests.documents.call_trace import Trace, lines_of, traced
from tests.documents.flow_drawings import Drawing, drawings
from tests.factories import make_organizer, make_qrels, make_run, make_task, make_team, make_team_member
from tests.judges.factories import make_image_pool, make_judge
from tests.whole_site import signed_in_client
from trackside.backends.registry import BACKENDS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_queue")]

UPLOAD, JUDGMENT, PAIR, REPORT, IMPORT = (
    "An upload gets its verdict",
    "A judgment becomes part of the qrels",
    "CLIPScore grades a pair",
    "New qrels become a report",
    "A file of topics is imported",
)


class Flow:
    """Does what browsers and workers do, one after another, and records the calls of each."""

    def __init__(self, drawing: Drawing, capture: DjangoCaptureOnCommitCallbacks) -> None:
        self.drawing, self.capture = drawing, capture
        self.lines: list[str] = []
        app.loader.import_default_modules()  # the tasks

    def post(self, client: Client, name: str, *args: object, **fields: object) -> None:
        """Send the form of the page ``name``, which leads to another page."""
        address = reverse(name, args=args)
        with self.capture(execute=True), traced(self.drawing.names) as trace:
            answer = client.post(address, fields)
        assert answer.status_code == 302, answer.content.decode()
        self._keep(f"web: POST {name}", trace)

    def get(self, client: Client, name: str, *args: object) -> None:
        """Open the page ``name``."""
        address = reverse(name, args=args)
        with traced(self.drawing.names) as trace:
            answer = client.get(address)
        assert answer.status_code == 200
        self._keep(f"web: GET {name}", trace)

    def work(self, queue: str) -> None:
        """Take the oldest message of the queue and run its task."""
        with app.connection_for_read() as broker:
            message = broker.default_channel.basic_get(queue, no_ack=True)  # type: ignore[attr-defined]
        assert message is not None, f"nothing was sent to the queue {queue}"
        args: list[int] = json.loads(message.body)[0]
        name: str = message.headers["task"]
        with self.capture(execute=True), traced(self.drawing.names) as trace:
            app.tasks[name](*args)
        self._keep(f"queue {queue}: {name}", trace)

    def _keep(self, head: str, trace: Trace) -> None:
        self.lines += [head, *lines_of(trace.steps, cut=self.drawing.cut, depth=1)]

    def assert_drawn(self) -> None:
        """The calls are those of the drawing."""
        assert self.lines == self.drawing.lines, "the calls were:\n" + "\n".join(self.lines)


@pytest.fixture
def flow(
    request: pytest.FixtureRequest, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> Flow:
    return Flow(drawings()[request.param], django_capture_on_commit_callbacks)


def place_of(task: Task) -> tuple[str, str]:
    return task.track.slug, task.slug


def organizer_of(task: Task) -> Client:
    return signed_in_client(make_organizer(task.track))


@pytest.mark.parametrize("flow", [UPLOAD], indirect=True)
def test_flow_of_an_upload(flow: Flow) -> None:
    task = make_task(topic_count=1, document_count=2)
    team = make_team(task.track)
    file = SimpleUploadedFile("a.run", b"T1 Q0 D1 1 2.5 tag\nT1 Q0 D2 2 1.5 tag\n")
    participant = signed_in_client(make_team_member(team))
    flow.post(
        participant, "run_upload", *place_of(task), team=team.pk, file=file, description="A", type="automatic"
    )
    flow.work("default")
    flow.work("mail")
    assert Run.objects.get().state == RunState.ACCEPTED
    flow.assert_drawn()


@pytest.mark.parametrize("flow", [JUDGMENT], indirect=True)
def test_flow_of_a_judgment(flow: Flow) -> None:
    assignment = make_assignment()
    task = assignment.pool.task
    flow.post(signed_in_client(assignment.assessor), "judgment_record", assignment.pk, 1, **sent())
    flow.post(organizer_of(task), "judgments_publish", *place_of(task), rule="owner")
    flow.work("operations")
    assert task.qrels.get().graded_count == 1
    flow.assert_drawn()


@pytest.mark.parametrize("flow", [PAIR], indirect=True)
def test_flow_of_a_pair(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        BACKENDS, "counting", "tests.judges.counting_encoder:CountingEncoder"
    )  # loads no model
    judge, pool = make_judge(), make_image_pool(topic_count=2, image_count=4)
    organizer, place = organizer_of(pool.task), place_of(pool.task)
    flow.post(organizer, "job_start", *place, judge=judge.pk, pool=pool.pk, priority=0)
    for queue in ("judges", "judges", "default"):
        flow.work(queue)
    job = Job.objects.get()
    flow.post(organizer, "mapping_fit", *place, job.pk, rule="paper-2024", share=50, seed=0)
    flow.post(organizer, "job_publish", *place, job.pk, mapping=Mapping.objects.get().pk)
    flow.work("operations")
    assert pool.task.qrels.get().graded_count == 8
    flow.assert_drawn()


@pytest.mark.parametrize("flow", [REPORT], indirect=True)
def test_flow_of_a_report(flow: Flow) -> None:
    task = make_task(topic_count=2, document_count=3, phase=Phase.JUDGING)
    for _ in range(2):
        make_run(task)
    for kind in (QrelsKind.HUMAN, QrelsKind.MODEL):
        make_qrels(task, kind=kind)
    with flow.capture(execute=True):
        ask_results(task_id=task.pk)
    flow.work("scores")
    flow.work("reports")
    flow.get(organizer_of(task), "report_detail", *place_of(task))
    flow.assert_drawn()


@pytest.mark.parametrize("flow", [IMPORT], indirect=True)
def test_flow_of_an_import(flow: Flow) -> None:
    task = make_task()
    organizer = organizer_of(task)
    file = SimpleUploadedFile("topics.jsonl", b'{"id": "T1", "page_title": "Barns"}\n')
    flow.post(organizer, "import_upload", *place_of(task), "topics", file=file, state="active")
    flow.work("imports")
    assert not Topic.objects.exists()
    flow.post(organizer, "import_confirm", *place_of(task), Import.objects.get().pk)
    flow.work("imports")
    assert Topic.objects.get().number == "T1"
    flow.assert_drawn()
