import pytest

from evaluation.models import MeasureValue, Phase, Task
from evaluation.results.values.actions import UNIQUE, UNIQUE_TO_TEAM, run_scoring, score_runs
from evaluation.submissions.runs.editing import withdraw_run
from evaluation.tracks.work.queueing import claim_work
from evaluation.tracks.work.recomputing.actions import ask_results
from evaluation.tracks.work.recomputing.models import Scoring
from tests.factories import make_organizer, make_qrels, make_run, make_task, make_team
from trackside.code_version import code_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=3)
    team = make_team(task.track)
    make_run(task, team, tag="first", results={"T1": ["D1", "D2"], "T2": ["D1"]})
    make_run(task, team, tag="second", results={"T1": ["D1"]})
    make_run(task, tag="third", results={"T1": ["D2"]})
    return task


def _means(measure: str) -> dict[str, float | None]:
    return dict(MeasureValue.objects.filter(measure=measure).values_list("run__tag", "mean"))


def test_runs_are_scored_under_peoples_qrels_alone(task: Task) -> None:
    score_runs(task=task)
    assert not MeasureValue.objects.exists(), "there are no qrels yet"
    make_qrels(task, grades={("T1", "D1"): 2, ("T1", "D2"): 0, ("T2", "D1"): 1})
    score_runs(task=task)
    # second leaves T2 out; third has nothing relevant.
    assert _means("AP") == {"first": 1.0, "second": 0.5, "third": 0.0}
    assert _means("IPrec@0.5") == {"first": 1.0, "second": 0.5, "third": 0.0}
    # Of the first five places first fills two of two and one of one with judged results: 2/5 and 1/5.
    assert _means("Judged@5")["first"] == pytest.approx(0.3)


def test_unique_documents_follow_the_runs_that_count(task: Task) -> None:
    make_qrels(task, grades={("T1", "D1"): 2, ("T1", "D2"): 1, ("T2", "D1"): 1})
    score_runs(task=task)
    # T2 D1 is of first alone; T1 D1 of one team, T1 D2 of two. Two topics.
    assert _means(UNIQUE) == {"first": 0.5, "second": 0.0, "third": 0.0}
    assert _means(UNIQUE_TO_TEAM) == {"first": 1.0, "second": 0.5, "third": 0.0}
    withdraw_run(run=task.runs.get(tag="third"), by=make_organizer(task.track), reason="It was a trial.")
    score_runs(task=task)
    assert _means(UNIQUE)["first"] == 1.0
    uniques = MeasureValue.objects.filter(measure=UNIQUE, run__tag__in=["first", "second"])
    assert dict(uniques.values_list("run__tag", "values")) == {"first": [1.0, 1.0], "second": [0.0, 0.0]}
    assert set(MeasureValue.objects.values_list("code_version", flat=True)) == {code_version()}


def test_unique_documents_are_relevant_ones_within_the_pool_s_depth(task: Task) -> None:
    """Of first alone are D2 in T1, below the depth of 1, and D1 in T2, whose grade is below the level."""
    Task.objects.update(pool_depth=1, relevance_level=2)
    make_qrels(task, grades={("T1", "D2"): 2, ("T2", "D1"): 1})
    score_runs(task=Task.objects.get())
    assert _means(UNIQUE) == {"first": 0.0, "second": 0.0, "third": 0.5}


def test_values_stay_unless_one_of_the_run_is_missing_or_of_older_code(task: Task) -> None:
    make_qrels(task, grades={("T1", "D1"): 2, ("T2", "D1"): 1})
    score_runs(task=task)
    marked = MeasureValue.objects.filter(measure="AP")
    marked.update(mean=-1.0)
    MeasureValue.objects.filter(measure="P@10", run__tag="second").delete()
    MeasureValue.objects.filter(measure="P@10", run__tag="third").update(code_version="older")
    score_runs(task=task)
    assert _means("AP") == {"first": -1.0, "second": 0.5, "third": 0.0}
    other = make_qrels(task, grades={("T1", "D2"): 1})
    score_runs(task=task)
    assert dict(marked.filter(qrels=other).values_list("run__tag", "mean")) == {
        "first": 0.5,
        "second": 0.0,
        "third": 1.0,
    }


def test_work_of_scoring_ends_with_the_values(task: Task, sent: list[object]) -> None:
    make_qrels(task, grades={("T1", "D1"): 1})
    ask_results(task_id=task.pk)
    scoring = claim_work(Scoring, worker="a")
    assert scoring is not None
    run_scoring(scoring=scoring)
    assert _means("AP") == {"first": 1.0, "second": 1.0, "third": 0.0}
    scoring.refresh_from_db()
    assert scoring.ended_at is not None
    assert (scoring.claim, scoring.queued_at) == (None, None)
