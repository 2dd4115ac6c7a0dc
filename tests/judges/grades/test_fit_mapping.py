import numpy as np
import pytest

from judges.grades.publishing import fit_mapping, read_scored_pairs
from judges.jobs.starting import start_job
from judges.models import Job
from tests.factories import make_pool, make_task
from tests.judges.factories import make_human_qrels, make_image_pool, make_judge, publish_people, run_to_end
from tests.refusals import refused
from trackside.judging.mappings.mapping import NothingToMap
from trackside.judging.mappings.rules import FIXED, Scored, fit, grades_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def start(**changes: object) -> Job:
    pool = make_image_pool()
    return start_job(judge=make_judge(**changes), pool=pool, by=pool.created_by)


def test_fit_mapping_freezes_median_and_upper_quartile_of_all_scores() -> None:
    job = run_to_end(start())

    mapping = fit_mapping(job=job, by=job.created_by)

    scores = [call.raw_score or 0.0 for call in job.calls.all()]
    # numpy's default method is "linear".
    assert mapping.thresholds == [np.median(scores), np.quantile(scores, 0.75)]
    assert (mapping.rule, mapping.version, mapping.score_count) == ("paper-2024", 1, 6)
    assert (mapping.judge, mapping.pool) == (job.judge, job.pool)


def test_versions_are_counted_by_pool() -> None:
    job = run_to_end(start())
    later = make_pool(job.pool.task, pairs=[("T1", "D1"), ("T2", "D2")])
    again = run_to_end(start_job(judge=job.judge, pool=later, by=job.created_by))
    assert [fit_mapping(job=each, by=job.created_by).version for each in (job, again, job)] == [1, 1, 2]


def test_fit_mapping_waits_for_the_end_of_the_job() -> None:
    job = start()

    with refused("job-not-completed"):
        fit_mapping(job=job, by=job.created_by)


def test_fit_mapping_needs_a_score() -> None:
    pool = make_pool(make_task(topic_count=1, document_count=2))  # no document has an image
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))

    with pytest.raises(NothingToMap):
        fit_mapping(job=job, by=job.created_by)


@pytest.mark.usefixtures("scripted")
def test_fit_mapping_takes_cuts_for_a_judge_that_answers_with_the_grade(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.judges.factories import ScriptedGenerator, make_generator
    from trackside.judging.answers import Outcome, Reading
    from trackside.judging.asking import Response

    grades = iter([0, 1, 2])
    script = staticmethod(lambda ask: Response(ask.id, Reading(Outcome.OK, next(grades))))
    monkeypatch.setattr(ScriptedGenerator, "script", script)
    pool = make_image_pool(topic_count=1, image_count=3)
    job = run_to_end(start_job(judge=make_generator(answer="grade-0-2"), pool=pool, by=pool.created_by))

    mapping = fit_mapping(job=job, by=pool.created_by, cuts=(0.5, 1.5))

    assert (mapping.rule, mapping.version, mapping.thresholds) == ("fixed-cuts", 1, [0.5, 1.5])
    scored = [Scored("T1", score) for score in (0, 0.49, 0.5, 1, 1.5, 2)]
    assert grades_of(mapping.frozen, scored) == [0, 0, 1, 1, 2, 2]
    with refused("cuts-do-not-rise"):
        fit_mapping(job=job, by=pool.created_by, cuts=(2, 1))


def test_fit_mapping_by_people_keeps_the_topics_that_it_was_fitted_on() -> None:
    pool = make_image_pool(topic_count=4, image_count=4)
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))
    people = make_human_qrels(job)

    mapping = fit_mapping(job=job, by=pool.created_by, rule="isotonic", people=people, share=0.5, seed=3)

    scored = read_scored_pairs(job=job, people=people)
    assert len(mapping.fitting_topics) == 2
    assert set(mapping.fitting_topics) < {"T1", "T2", "T3", "T4"}
    assert mapping.people == people
    assert mapping.frozen == fit("isotonic", scored, mapping.fitting_topics)
    assert mapping.score_count == 8
    mapping.refresh_from_db()  # infinite cuts are stored exactly, too
    assert mapping.frozen == fit("isotonic", scored, mapping.fitting_topics)


def test_cuts_by_hand_name_no_people() -> None:
    job = run_to_end(start())
    people = make_human_qrels(job)
    mapping = fit_mapping(job=job, by=job.created_by, rule="isotonic", people=people, cuts=(0.5, 1.5))
    assert (mapping.rule, mapping.people, mapping.fitting_topics) == (FIXED, None, [])


def test_fitting_topics_are_topics_that_people_graded() -> None:
    pool = make_image_pool(topic_count=4, image_count=4)
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))
    calls = enumerate(job.calls.order_by("topic", "docno"))
    people = publish_people(
        pool, {(call.topic, call.docno): place % 3 if call.topic < "T3" else None for place, call in calls}
    )
    for seed in range(3):
        mapping = fit_mapping(job=job, by=pool.created_by, rule="isotonic", people=people, seed=seed)
        assert mapping.fitting_topics in (["T1"], ["T2"])


def test_fit_mapping_by_people_needs_them() -> None:
    job = run_to_end(start())

    with refused("people-needed"):
        fit_mapping(job=job, by=job.created_by, rule="kappa-cuts")


def test_fit_mapping_keeps_thresholds_by_topic() -> None:
    job = run_to_end(start())

    mapping = fit_mapping(job=job, by=job.created_by, rule="per-topic")

    mapping.refresh_from_db()
    scored = read_scored_pairs(job=job)
    assert (mapping.thresholds, set(mapping.by_topic)) == ([], {"T1", "T2"})
    assert grades_of(mapping.frozen, scored) == grades_of(fit("per-topic", scored), scored)
