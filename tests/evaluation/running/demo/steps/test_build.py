"""The demo's track, built on the database by the real actions and tasks, and killed at every step."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from celery import Celery, current_app
from django.apps import apps
from django.core.management import call_command
from django.db.models import F
from pytest_django import DjangoDbBlocker

from assessment.models import Assignment, Judgment
from evaluation.models import Phase, Report, Run, RunState, Task, Track, User
from evaluation.running.demo.steps.show import build_track, summary_lines
from evaluation.running.demo.steps.track import ASSESSOR, PASSWORD, VISITORS
from evaluation.running.demo.world import drawn_world
from judges.models import Job, JobState
from tests.evaluation.running.demo.conftest import SMALL
from trackside.reporting.writers.stored import from_json

pytestmark = [pytest.mark.django_db, pytest.mark.whole]
CLIPS = ["clip-context-only", "clip-four-fields", "clipscore-2021"]


class BrokenOff(Exception):
    """The demo was killed."""


class KillAtEachWait:
    """What says and waits: kills the demo once at each line that it says and at each wait, by their order."""

    def __init__(self) -> None:
        self.survived, self.passed = 0, 0

    def say(self, _line: str) -> None:
        self.passed += 1
        if self.passed > self.survived:
            self.survived += 1
            raise BrokenOff

    def wait(self, is_so: Callable[[], bool]) -> None:
        self.say("")
        assert is_so()  # the task ran when it was queued


def run_now(app: Celery, name: str, args: tuple[int, ...]) -> None:
    app.tasks[name](*args)


@pytest.fixture(scope="module")
def track(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Track]:
    """The track, after as many attempts as there are steps; tasks run where they are queued."""
    current_app.loader.import_default_modules()
    killer, world = KillAtEachWait(), drawn_world(SMALL)
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(Celery, "send_task", run_now)
        while True:
            killer.passed = 0
            try:
                track = build_track(killer.say, killer.wait, world)
            except BrokenOff:
                continue
            break
        rows, killer.passed = row_counts(), 0
        assert build_track(killer.say, killer.wait, world) == track
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


def test_build_track_compares_a_second_assessor_and_the_judges(suggestion: Task, promotion: Task) -> None:
    for task, judges in ((suggestion, [*CLIPS, "tiny-llava"]), (promotion, CLIPS)):
        findings = from_json(Report.objects.filter(task=task).latest().stored)
        assert [yardstick.name for yardstick in findings.yardsticks] == ["second assessor"]
        assert [judge.name for judge in findings.judges] == judges
    assert {job.state for job in Job.objects.all()} == {JobState.COMPLETED}


def test_summary_says_what_was_built_and_the_lead_of_the_report(track: Track) -> None:
    built, lead, *accounts = summary_lines(track, "suggestion")
    assert "20 runs of 4 teams" in built
    assert lead.startswith("Image suggestion: ")
    assert len(accounts) == 1 + len(VISITORS)


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
