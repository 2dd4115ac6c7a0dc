import numpy as np
import pytest

from judges.grades.publishing import read_scored_pairs
from judges.models import Job, Mapping
from tests.factories import make_pool, make_task
from tests.judges.factories import (
    Scripted,
    fitted,
    judged,
    make_generator,
    make_human_qrels,
    make_image_pool,
    make_judge,
    publish_people,
    started,
)
from tests.refusals import refused
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Response
from trackside.judging.mappings.mapping import NothingToMap
from trackside.judging.mappings.rules import FIXED, Scored, fit, grades_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def test_fit_mapping_freezes_median_and_upper_quartile_of_all_scores() -> None:
    job = judged()

    mapping = fitted(job)

    scores = [call.raw_score or 0.0 for call in job.calls.all()]
    # numpy's default method is "linear".
    assert mapping.thresholds == [np.median(scores), np.quantile(scores, 0.75)]
    assert (mapping.rule, mapping.version, mapping.score_count) == ("paper-2024", 1, 6)
    assert (mapping.judge, mapping.pool) == (job.judge, job.pool)


def test_versions_are_counted_by_pool() -> None:
    job = judged()
    later = make_pool(job.pool.task, pairs=[("T1", "D1"), ("T2", "D2")])
    again = judged(job.judge, later, by=job.created_by)
    assert [fitted(each).version for each in (job, again, job)] == [1, 1, 2]


def test_fit_mapping_needs_the_end_of_the_job_a_score_and_people_for_a_rule_by_people() -> None:
    unscored = judged(pool=make_pool(make_task(topic_count=1, document_count=2)))  # no document has an image
    with pytest.raises(NothingToMap):
        fitted(unscored)
    with refused("people-needed"):
        fitted(judged(), rule="kappa-cuts")
    with refused("job-not-completed"):
        fitted(started())


def test_fit_mapping_takes_cuts_for_a_judge_that_answers_with_the_grade(scripted: Scripted) -> None:
    grades = iter([0, 1, 2])
    scripted.script = staticmethod(lambda ask: Response(ask.id, Reading(Outcome.OK, next(grades))))
    job = judged(make_generator(answer="grade-0-2"), make_image_pool(topic_count=1, image_count=3))

    mapping = fitted(job, cuts=(0.5, 1.5))

    assert (mapping.rule, mapping.version, mapping.thresholds) == (FIXED, 1, [0.5, 1.5])
    scored = [Scored("T1", score) for score in (0, 0.49, 0.5, 1, 1.5, 2)]
    assert grades_of(mapping.frozen, scored) == [0, 0, 1, 1, 2, 2]
    with refused("cuts-do-not-rise"):
        fitted(job, cuts=(2, 1))


@pytest.fixture
def job() -> Job:
    return judged(make_judge(), make_image_pool(topic_count=4, image_count=4))


def test_fit_mapping_by_people_keeps_the_topics_that_it_was_fitted_on(job: Job) -> None:
    people = make_human_qrels(job)

    mapping = fitted(job, rule="f1-cuts", people=people, share=0.5, seed=3)

    scored = read_scored_pairs(job=job, people=people)
    assert len(mapping.fitting_topics) == 2
    assert set(mapping.fitting_topics) < {"T1", "T2", "T3", "T4"}
    assert (mapping.people, mapping.score_count) == (people, 8)
    assert mapping.frozen == fit("f1-cuts", scored, mapping.fitting_topics)
    mapping.refresh_from_db()  # infinite cuts are stored exactly, too
    assert mapping.frozen == fit("f1-cuts", scored, mapping.fitting_topics)
    by_hand = fitted(job, rule="f1-cuts", people=people, cuts=(0.5, 1.5))
    assert (by_hand.rule, by_hand.people, by_hand.fitting_topics) == (FIXED, None, [])


def test_fitting_topics_are_topics_that_people_graded(job: Job) -> None:
    calls = enumerate(job.calls.order_by("topic", "docno"))
    people = publish_people(
        job.pool,
        {(call.topic, call.docno): place % 3 if call.topic < "T3" else None for place, call in calls},
    )
    for seed in range(3):
        mapping = fitted(job, rule="f1-cuts", people=people, seed=seed)
        assert mapping.fitting_topics in (["T1"], ["T2"])


def test_stored_thresholds_by_topic_give_grades() -> None:
    job = judged()
    by_topic = {"T1": [0.1, 0.2, 3], "T2": [0.3, 0.4, 3]}
    mapping = Mapping.objects.create(
        judge=job.judge, pool=job.pool, rule="per-topic", version=1, score_count=6, by_topic=by_topic,
        created_by=job.created_by,
    )  # fmt: skip
    scored = [Scored("T1", 0.15), Scored("T2", 0.15), Scored("T2", 0.5), Scored("T3", 0.5)]
    assert grades_of(mapping.frozen, scored) == [1, 0, 2, None]
