import pytest
from django.test import Client

from evaluation.models import Pool
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.calls import Call
from judges.jobs.scheduling import retry_job
from judges.models import Job, Judge
from tests.judges.factories import judged, make_ensemble, run_to_end
from tests.judges.pages.setting import address, text_of
from tests.refusals import refused
from trackside.judging.ensembles.ballots import CombinationRule

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
        "rule": "majority",
        "judges": [job.judge.pk for job in members],
        "tie_breaker": members[1].judge.pk,
    }
    assert organizer.post(url, form).headers["Location"] == address("job_start", pool.task)

    judge = Judge.objects.get(name="three")
    organizer.post(address("job_start", pool.task), {"judge": judge.pk, "pool": pool.pk})
    job = run_to_end(Job.objects.get(judge=judge))
    page = text_of(organizer.get(address("job_detail", pool.task, job)))
    assert "The raw score is the grade that most members give. 2 of 3 must have a grade" in page
    assert "b</span> breaks ties." in page
    assert "fitted on pool" in page


def judge_by_votes(majority: Judge) -> Judge:
    """The judge as releases before 2026-12 stored it: by thresholds that were fitted on people's grades."""
    members = [
        member | {"by": {"score": 5.25, "f1": 1.0, "pair_count": 3, "relevant_count": 2}}
        for member in majority.decoding["members"]
    ]
    calibration = {"qrels": "people (version 1)", "sha256": "", "task": 1, "level": 1, "topics": ["T9"]}
    majority.pk, majority.name, majority.identity_sha256 = None, "votes", "cd" * 32
    majority.decoding |= {"rule": "votes", "calibration": calibration, "members": members}
    majority.save()
    return majority


def test_stored_ensemble_by_votes_keeps_its_grades_and_cannot_judge_again(
    organizer: Client, pool: Pool, members: list[Job]
) -> None:
    by, majority = pool.created_by, make_ensemble(members, CombinationRule.MAJORITY)
    job = judged(majority, pool)
    calls = list(job.calls.all())
    job.pk, job.judge = None, judge_by_votes(majority)
    job.save()
    for call in calls:
        call.pk, call.job = None, job
    Call.objects.bulk_create(calls)

    page = text_of(organizer.get(address("job_detail", pool.task, job)))
    assert "Combined by an older rule, votes." in page
    assert "yes from 5.2500 on" in page
    qrels = publish_job(job=job, mapping=fit_mapping(job=job, by=by, cuts=(0.5, 1.5)), by=by)
    facts = qrels.provenance["ensemble"]
    assert (facts["rule"], facts["calibration"]["topics"], qrels.graded_count) == ("votes", ["T9"], 5)
    assert facts["members"][0]["by"]["score"] == 5.25
    with refused("composition-refused", match="Create one by mean or majority"):
        retry_job(job=job, by=by)


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
