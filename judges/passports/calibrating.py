"""How well a judge's scores, as chances of relevance, fit people's grades."""

from __future__ import annotations

import numpy as np

from evaluation.results.qrels.models import Qrels
from judges.jobs.models import Job
from judges.passports.facts import Calibrated, Unknown
from trackside.arrays import Floats
from trackside.judging.forms import answer_form
from trackside.statistics.reliability import chances_of_other_topics, reliability
from trackside.uncertainty.intervals import FEWEST_TOPICS

FEWEST_TOPICS_OF_BRIER = 70  # with fewer, its interval holds the true value too seldom: docs/judges.md


def calibrate(*, job: Job, people: Qrels) -> Calibrated | Unknown:
    """Compare chances with people's grades on the pairs that both have.

    The chances are the judge's P(yes) if its form of answer has two labels of 0 and 1 and all its answers
    have probabilities; else they follow from its raw scores and people's grades of the other topics.
    """
    level = job.pool.task.relevance_level
    graded = people.pairs.graded().exclude(topic__in=job.judge.example_topics)
    grades = {(topic, docno): grade for topic, docno, grade in graded.values_list("topic", "docno", "grade")}
    columns = "topic", "docno", "raw_score", "expected_score"
    calls = job.calls.scored().of_pool().order_by("topic", "docno").values_list(*columns)
    rows = [(grades[row[0], row[1]], *row) for row in calls if (row[0], row[1]) in grades]
    topics = {row[1] for row in rows}
    if len(topics) < FEWEST_TOPICS:
        return Unknown(f"People and it graded pairs of {len(topics)} topics; {FEWEST_TOPICS} are needed.")
    reached = np.array([row[0] >= level for row in rows], dtype=float)
    if reached.min() == reached.max():
        return Unknown("People gave all these pairs the same side of relevance.")
    topic = np.unique([row[1] for row in rows], return_inverse=True)[1]
    own = _own_chances(job, [row[4] for row in rows])
    scores = np.array([row[3] for row in rows], dtype=float)
    chances = chances_of_other_topics(scores, reached, topic) if own is None else own
    found = reliability(chances, reached, np.ones(len(rows)), topic, np.random.default_rng(0))
    brier, low, high = found.brier
    return Calibrated(
        level=level,
        is_own=own is not None,
        pair_count=len(rows),
        topic_count=len(topics),
        bins=tuple((one.count, one.predicted, one.observed[0]) for one in found.bins),
        ece=found.ece[0],
        brier=brier,
        brier_interval=(low, high) if len(topics) >= FEWEST_TOPICS_OF_BRIER else None,
    )


def _own_chances(job: Job, expected: list[float | None]) -> Floats | None:
    form = answer_form(job.judge.answer) if job.judge.answer else None
    if form is None or {score for _, score in form.labels} != {0, 1} or None in expected:
        return None
    return np.array(expected, dtype=float)
