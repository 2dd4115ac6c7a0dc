from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judges.core.ensembles.ballots import calibration_topics
from judges.models import Job, Judge
from tests.judges.factories import run_to_end
from tests.judges.grades.imported_members import members, people, pool
from tests.judges.jobs.pages.setting import address, text_of

if TYPE_CHECKING:
    from django.test import Client

    from evaluation.models import Pool

__all__ = ["members", "pool"]  # fixtures
pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


def test_ensemble_is_made_on_its_page_and_judges(
    organizer: Client,
    pool: Pool,
    members: list[Job],
) -> None:
    url = address("ensemble_create", pool.task)
    assert "Create the ensemble" in text_of(organizer.get(url))
    form = {
        "name": "three",
        "rule": "votes",
        "judges": [job.judge.pk for job in members],
        "tie_breaker": members[1].judge.pk,
    }
    assert "Votes need people&#x27;s grades" in text_of(organizer.post(url, form))

    seed = next(each for each in range(20) if calibration_topics(("T1", "T2"), 0.5, each) == ("T1",))
    votes = form | {"qrels": people(pool).pk, "level": "2", "percent": "50", "seed": str(seed)}
    assert organizer.post(url, votes).headers["Location"] == address("job_start", pool.task)

    judge = Judge.objects.get(name="three")
    assert (judge.decoding["tie_breaker"], judge.decoding["calibration"]["level"]) == ("b", 2)
    organizer.post(address("job_start", pool.task), {"judge": judge.pk, "pool": pool.pk})
    job = run_to_end(Job.objects.get(judge=judge))
    page = text_of(organizer.get(address("job_detail", pool.task, job)))
    assert "on 1 topic, held out here" in page
    assert "held_out 3" in page
    assert "yes from 9.0000 on" in page


def test_ensemble_page_asks_for_two_judges_first(organizer: Client, pool: Pool) -> None:
    assert "needs two judges" in text_of(organizer.get(address("ensemble_create", pool.task)))


def test_ensemble_that_cannot_be_made_gives_the_reason(
    organizer: Client,
    pool: Pool,
    members: list[Job],
) -> None:
    first, second, third = (job.judge.pk for job in members)
    form = {"name": "two", "rule": "mean", "judges": [first, second], "tie_breaker": third}

    page = text_of(organizer.post(address("ensemble_create", pool.task), form))

    assert "choose one of the members" in page
    assert not Judge.objects.filter(name="two").exists()
