from __future__ import annotations

import numpy as np
import pytest

from judges.actions.fit_mapping import JobNotCompleted, fit_mapping
from judges.actions.start_job import start_job
from judges.core.mapping import NothingToMap
from judges.models import Job
from tests.factories import make_pool, make_task
from tests.judges.factories import make_image_pool, make_judge, run_to_end

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


def test_fit_mapping_again_is_a_new_version() -> None:
    job = run_to_end(start())

    versions = [fit_mapping(job=job, by=job.created_by).version for _ in range(2)]

    assert versions == [1, 2]


def test_fit_mapping_waits_for_the_end_of_the_job() -> None:
    job = start()

    with pytest.raises(JobNotCompleted):
        fit_mapping(job=job, by=job.created_by)


def test_fit_mapping_needs_a_score() -> None:
    pool = make_pool(make_task(topic_count=1, document_count=2))  # no document has an image
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))

    with pytest.raises(NothingToMap):
        fit_mapping(job=job, by=job.created_by)
