import hashlib
from math import inf, isfinite

import pytest
from django.core.files.base import ContentFile

from evaluation.models import Pool
from judges.grades.publishing import fit_mapping, publish_job
from judges.grades.scores import import_scores
from judges.jobs.starting import start_job
from judges.models import Job, JobState, Mapping
from tests.factories import make_pool
from tests.judges.factories import judged, make_ensemble
from tests.refusals import refused
from trackside.judging.ensembles.ballots import CombinationRule
from trackside.judging.ensembles.composition import composition_of

pytestmark = pytest.mark.django_db


def scores_of(job: Job) -> dict[str, float | str]:
    """The raw score of each pair, or its outcome."""
    rows = job.calls.values_list("topic", "docno", "raw_score", "outcome")
    return {f"{topic} {docno}": outcome if score is None else score for topic, docno, score, outcome in rows}


def test_majority_uses_the_members_grades_and_asks_no_model(pool: Pool, members: list[Job]) -> None:
    job = judged(make_ensemble(members, CombinationRule.MAJORITY), pool)

    # Grades of a, b, c: T1 D1 2 1 0 (a decides), D2 1 1 2, D3 0 0 0; T2 D1 2 0 2, D2 0 0 -, D3 2 - -.
    assert scores_of(job) == {
        "T1 D1": 2, "T1 D2": 1, "T1 D3": 0, "T2 D1": 2, "T2 D2": 0, "T2 D3": "too_few_members",
    }  # fmt: skip
    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert not job.ledger.exists()
    assert not job.shards.exists()


def test_mean_is_of_the_members_grades(pool: Pool, members: list[Job]) -> None:
    job = judged(make_ensemble(members, CombinationRule.MEAN), pool)

    assert scores_of(job) == {
        "T1 D1": 1, "T1 D2": pytest.approx(4 / 3), "T1 D3": 0, "T2 D1": pytest.approx(4 / 3), "T2 D2": 0,
        "T2 D3": "too_few_members",
    }  # fmt: skip


def test_published_ensemble_names_its_members_with_the_hashes_of_what_they_gave(
    pool: Pool, members: list[Job]
) -> None:
    own = publish_job(job=members[0], mapping=members[0].judge.mappings.get(), by=pool.created_by)
    job = judged(make_ensemble(members, CombinationRule.MAJORITY), pool)

    qrels = publish_job(
        job=job, mapping=fit_mapping(job=job, by=pool.created_by, cuts=(0.5, 1.5)), by=pool.created_by
    )

    facts = qrels.provenance["ensemble"]
    assert [each["judge"] for each in facts["members"]] == ["a", "b", "c"]
    assert facts["backbones"] == ["a.qrels", "b.qrels", "c.qrels"]
    assert facts["members"][0]["grades_sha256"] == own.sha256
    assert facts["members"][0]["identity_sha256"] == members[0].judge.identity_sha256
    lines = "T1 0 D1 0\nT1 0 D2 2\nT1 0 D3 0\nT2 0 D1 2\n"
    assert facts["members"][2]["grades_sha256"] == hashlib.sha256(lines.encode()).hexdigest()
    assert facts["agreement"] == {"unanimous": 2, "majority": 0, "split": 3}
    assert qrels.graded_count == 5


def test_ensemble_waits_for_all_its_members(pool: Pool, members: list[Job]) -> None:
    judge = make_ensemble(members, CombinationRule.MEAN)
    later = make_pool(pool.task, pairs=[("T1", "D1")], created_by=pool.created_by)

    with refused("members-not-ready", match="a, b, c"):
        start_job(judge=judge, pool=later, by=pool.created_by)


def test_member_without_a_mapping_gives_no_grades(pool: Pool) -> None:
    jobs = [
        import_scores(
            name=name,
            file=ContentFile(f"T1 0 D1 {name}\n".encode()),
            file_name="f",
            pool=pool,
            by=pool.created_by,
        )
        for name in ("1", "2")
    ]

    with refused("mapping-missing", match="Freeze one"):
        make_ensemble(jobs, CombinationRule.MEAN)


def test_twin_of_an_ensemble_is_refused(pool: Pool, members: list[Job]) -> None:
    make_ensemble(members, CombinationRule.MEAN)

    with refused("judge-exists"):
        make_ensemble(members, CombinationRule.MEAN)


def test_cut_that_no_score_reaches_is_null_in_json(pool: Pool, members: list[Job]) -> None:
    # No person gave grade 2, so its best cut is infinite. The cuts (-inf, x) differ from (x, inf).
    by, first = pool.created_by, members[0]
    for thresholds in ((-inf, 5.0), (5.0, inf)):
        mapping = Mapping.objects.create(
            judge=first.judge, pool=pool, rule="ordinal", version=len(first.judge.mappings.all()) + 1,
            thresholds=list(thresholds), score_count=6, created_by=by,
        )  # fmt: skip
        ensemble = make_ensemble(members, CombinationRule.MEAN, f"all-{mapping.version}")
        facts = publish_job(job=first, mapping=mapping, by=by).provenance["mapping"]["thresholds"]

        assert facts == [each if isfinite(each) else None for each in thresholds]
        (grading, *_) = (member.by for member in composition_of(ensemble.settings.decoding).members)
        assert grading["thresholds"] == facts
        assert judged(ensemble, pool).is_completed
