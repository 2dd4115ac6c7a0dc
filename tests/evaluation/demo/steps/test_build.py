"""The demo's track, built on the database by the real actions and tasks, and killed at every step."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import Celery, current_app
from django.apps import apps
from django.core.management import call_command
from django.db.models import F
from pytest_django import DjangoDbBlocker

from assessment.models import Assignment, Judgment
from evaluation.demo.edition import Edition
from evaluation.demo.steps.build import build_track, finish_track
from evaluation.demo.steps.guide import summary_lines
from evaluation.demo.steps.people import ASSESSOR, PASSWORD, VISITORS
from evaluation.demo.steps.training import training
from evaluation.models import Phase, QrelsKind, Report, Run, RunState, Task, Track, User
from judges.models import Job, JobState
from tests.evaluation.demo.conftest import SMALL
from tests.evaluation.demo.given import given
from trackside.measuring import evaluate
from trackside.reporting.writers.stored import from_json

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


class BrokenOff(Exception):
    """The demo was killed."""


class KillAtEachStep:
    """A progress callback that kills the demo once in the middle of each step that stores something."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def on_progress(self, done: int, total: int, text: str) -> None:
        stores_nothing = text.startswith(("drawing", "retrieving"))
        if done > 0 and text not in self.seen and not stores_nothing:
            self.seen.add(text)
            raise BrokenOff

    def wait(self, count: Callable[[], tuple[int, int]], text: str) -> None:
        self.on_progress(1, 2, text)
        done, total = count()
        assert done == total  # the task ran when it was queued


@pytest.fixture(scope="module")
def track(clip: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Track]:
    """The track, after as many attempts as there are steps; tasks run where they are queued."""

    def run_now(app: Celery, name: str, args: tuple[int, ...]) -> None:
        app.tasks[name](*args)

    current_app.loader.import_default_modules()
    killer = KillAtEachStep()
    with (
        pytest.MonkeyPatch.context() as patch,
        training(given(clip)) as ready,
        django_db_blocker.unblock(),
    ):
        patch.setattr(Celery, "send_task", run_now)
        while True:
            try:
                track = build_track(ready, killer.on_progress, killer.wait, size=SMALL)
                finish_track(track, killer.wait)
            except BrokenOff:
                continue
            break
        assert len(killer.seen) == 10  # storing, checking, people, CLIPScore and the report, of each task
        rows = row_counts()
        assert build_track(ready, killer.on_progress, killer.wait, size=SMALL) == track
        finish_track(track, killer.wait)
        assert row_counts() == rows, "a second run changed something"
        yield track
        # Primary keys continue: this process caches parts of pages by them.
        call_command("flush", interactive=False, verbosity=0, reset_sequences=False)


def row_counts() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


@pytest.fixture(scope="module")
def suggestion(track: Track) -> Task:
    return Task.objects.with_phase().get(track=track, slug="suggestion")


@pytest.fixture(scope="module")
def promotion(track: Track) -> Task:
    return Task.objects.with_phase().get(track=track, slug="promotion")


def test_build_track_uploads_every_run_once(suggestion: Task, promotion: Task) -> None:
    for task, count in ((suggestion, 16), (promotion, 4)):
        runs = Run.objects.filter(task=task)
        assert runs.count() == count
        assert all(run.state == RunState.ACCEPTED and run.families.exists() for run in runs)
        assert runs.filter(received_at__lt=F("task__closes_at")).count() == count


def test_build_track_ends_with_one_task_judging_and_one_released(suggestion: Task, promotion: Task) -> None:
    assert suggestion.phase == Phase.JUDGING
    assert promotion.phase == Phase.RELEASED


def test_build_track_has_people_grade_as_the_edition_without_a_site(
    suggestion: Task, edition: Edition
) -> None:
    people = suggestion.qrels.get(kind=QrelsKind.HUMAN)
    pairs = people.pairs.values_list("topic", "docno", "grade")
    graded: dict[str, dict[str, int | None]] = {}
    for topic, docno, grade in pairs:
        graded.setdefault(topic, {})[docno] = grade
    assert graded == edition.people.to_dict()


def test_build_track_reports_the_values_of_the_edition_without_a_site(
    suggestion: Task, edition: Edition
) -> None:
    findings = from_json(Report.objects.filter(task=suggestion).latest().stored)
    values = evaluate(edition.rankings, [edition.people], findings.facts.measures)
    for place, leader in enumerate(findings.leaders):
        means = dict(zip(values.runs, values.means()[:, 0, place].tolist(), strict=True))
        assert all(means[tag] == pytest.approx(max(means.values()), abs=1e-12) for tag in leader.first)


def test_build_track_compares_a_second_assessor_and_three_judges(suggestion: Task, promotion: Task) -> None:
    for task in (suggestion, promotion):
        findings = from_json(Report.objects.filter(task=task).latest().stored)
        assert [yardstick.name for yardstick in findings.yardsticks] == ["second assessor"]
        names = [judge.name for judge in findings.judges]
        assert names == ["clip-context-only", "clip-four-fields", "clipscore-2021"]
    assert {job.state for job in Job.objects.all()} == {JobState.COMPLETED}


def test_summary_says_what_was_built_and_the_lead_of_the_report(track: Track) -> None:
    built, finding = summary_lines(track)
    assert "20 runs of 4 teams" in built
    assert finding.startswith("Image suggestion: ")
    assert "runs" in finding


def test_build_track_has_a_quarter_of_the_topics_graded_twice(suggestion: Task) -> None:
    """One of the four topics."""
    assignments = Assignment.objects.filter(pool__task=suggestion, pool__name="main")
    assert Counter(each.is_second for each in assignments) == {False: 4, True: 1}


def test_build_track_judges_with_plausible_rows(suggestion: Task) -> None:
    judgments = Judgment.objects.filter(task=suggestion)
    assert not judgments.filter(image_sha256="").exists()
    assert not judgments.filter(assessor__email=ASSESSOR).exists()
    assert judgments.current().count() == judgments.count()  # no pair was judged twice by one person


def test_build_track_leaves_the_visitor_some_items(suggestion: Task) -> None:
    own = Assignment.objects.held_by(User.objects.get(email=ASSESSOR)).in_judging().with_progress()
    assert own
    for assignment in own:
        assert assignment.is_second
        assert assignment.judged_count == 0
        assert assignment.item_count >= 3  # a single run adds three


def test_build_track_makes_accounts_that_visitors_can_use(track: Track) -> None:
    assert all(User.objects.get(email=email).check_password(PASSWORD) for email in VISITORS)
    simulated = User.objects.filter(email__startswith="sim-")
    assert simulated.count() == 4
    assert not any(person.has_usable_password() for person in simulated)
