import hashlib
from math import inf, isfinite

import pytest
from django.test import Client

from evaluation.models import Pool
from judges.jobs.calls import Call
from judges.jobs.scheduling import retry_job
from judges.models import Job, JobState, Judge, Mapping
from tests.factories import make_pool, make_task
from tests.judges.factories import fitted, import_file, judged, make_ensemble, published, run_to_end, started
from tests.judges.pages.setting import address, text_of
from tests.refusals import refused
from trackside.judging.ensembles import CombinationRule, composition_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rule", "scores"),
    [(CombinationRule.MAJORITY, (2, 1, 0, 2, 0)), (CombinationRule.MEAN, (1, 4 / 3, 0, 4 / 3, 0))],
)
def test_ensemble_combines_its_members_grades_and_asks_no_model(
    pool: Pool, members: list[Job], rule: CombinationRule, scores: tuple[float, ...]
) -> None:
    job = judged(make_ensemble(members, rule), pool)

    # Grades of a, b, c: T1 D1 2 1 0 (a decides), D2 1 1 2, D3 0 0 0; T2 D1 2 0 2, D2 0 0 -, D3 2 - -.
    calls = job.calls.order_by("topic", "docno")
    assert [call.raw_score for call in calls] == [*map(pytest.approx, scores), None]
    assert [call.outcome for call in calls] == ["ok"] * 5 + ["too_few_members"]
    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert not job.ledger.exists()
    assert not job.shards.exists()


def test_published_ensemble_names_its_members_with_the_hashes_of_what_they_gave(
    pool: Pool, members: list[Job]
) -> None:
    own = published(members[0], members[0].judge.mappings.get())
    job = judged(make_ensemble(members, CombinationRule.MAJORITY), pool)

    qrels = published(job, fitted(job, cuts=(0.5, 1.5)))

    facts = qrels.provenance["ensemble"]
    assert [each["judge"] for each in facts["members"]] == ["a", "b", "c"]
    assert facts["backbones"] == ["a.qrels", "b.qrels", "c.qrels"]
    assert facts["members"][0]["grades_sha256"] == own.sha256
    assert facts["members"][0]["identity_sha256"] == members[0].judge.identity_sha256
    lines = "T1 0 D1 0\nT1 0 D2 2\nT1 0 D3 0\nT2 0 D1 2\n"
    assert facts["members"][2]["grades_sha256"] == hashlib.sha256(lines.encode()).hexdigest()
    assert facts["agreement"] == {"unanimous": 2, "majority": 0, "split": 3}
    assert qrels.graded_count == 5


def test_ensemble_has_no_twin_and_waits_for_all_its_members_which_need_mappings(
    pool: Pool, members: list[Job]
) -> None:
    judge = make_ensemble(members, CombinationRule.MEAN)
    with refused("judge-exists"):
        make_ensemble(members, CombinationRule.MEAN)
    later = make_pool(pool.task, pairs=[("T1", "D1")], created_by=pool.created_by)
    with refused("members-not-ready", match="a, b, c"):
        started(judge, later)
    jobs = [import_file(name, f"T1 0 D1 {name}\n", pool) for name in ("1", "2")]
    with refused("mapping-missing", match="Freeze one"):
        make_ensemble(jobs, CombinationRule.MEAN)


def test_cut_that_no_score_reaches_is_null_in_json(pool: Pool, members: list[Job]) -> None:
    # No person gave grade 2, so its best cut is infinite. The cuts (-inf, x) differ from (x, inf).
    by, first = pool.created_by, members[0]
    for thresholds in ((-inf, 5.0), (5.0, inf)):
        mapping = Mapping.objects.create(
            judge=first.judge, pool=pool, rule="ordinal", version=len(first.judge.mappings.all()) + 1,
            thresholds=list(thresholds), score_count=6, created_by=by,
        )  # fmt: skip
        ensemble = make_ensemble(members, CombinationRule.MEAN, f"all-{mapping.version}")
        facts = published(first, mapping).provenance["mapping"]["thresholds"]

        assert facts == [each if isfinite(each) else None for each in thresholds]
        (grading, *_) = (member.by for member in composition_of(ensemble.settings.decoding).members)
        assert grading["thresholds"] == facts
        assert judged(ensemble, pool).is_completed


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


def test_ensemble_is_made_on_its_page_and_judges(organizer: Client, pool: Pool, members: list[Job]) -> None:
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
    qrels = published(job, fitted(job, cuts=(0.5, 1.5)))
    facts = qrels.provenance["ensemble"]
    assert (facts["rule"], facts["calibration"]["topics"], qrels.graded_count) == ("votes", ["T9"], 5)
    assert facts["members"][0]["by"]["score"] == 5.25
    with refused("composition-refused", match="Create one by mean or majority"):
        retry_job(job=job, by=by)


def test_ensemble_that_cannot_be_made_gives_the_reason(
    organizer: Client, pool: Pool, members: list[Job]
) -> None:
    bare = make_task(pool.task.track)
    assert "needs two judges" in text_of(organizer.get(address("ensemble_create", bare)))
    first, second, third = (job.judge.pk for job in members)
    form = {"name": "two", "rule": "mean", "judges": [first, second], "tie_breaker": third}

    page = text_of(organizer.post(address("ensemble_create", pool.task), form))

    assert "choose one of the members" in page
    assert not Judge.objects.filter(name="two").exists()
