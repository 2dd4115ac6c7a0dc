import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from evaluation.models import Pool, Qrels
from evaluation.tasks import run_operations
from judges.models import Job, JobState
from tests.factories import make_pool
from tests.judges.factories import fitted, import_file, make_image_pool, published, started
from tests.judges.pages.setting import address
from tests.refusals import refused

pytestmark = pytest.mark.django_db
FILE = "T1 0 D1 90\nT1 0 D2 40\nT1 0 D3 10\nT9 0 D9 1\n"


@pytest.fixture
def pool() -> Pool:
    return make_image_pool(topic_count=2, image_count=3)


def bring(pool: Pool, name: str = "their-judge", content: str = FILE) -> Job:
    return import_file(name, content, pool, "their.qrels")


def test_import_scores_makes_a_completed_job_of_the_pools_pairs_that_can_be_published(pool: Pool) -> None:
    make_pool(pool.task, pairs=[("T9", "D9")])
    job = bring(pool)

    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {"not_in_file": 3, "ok": 3}
    assert dict(job.calls.scored().values_list("docno", "raw_score")) == {"D1": 90, "D2": 40, "D3": 10}
    assert (job.judge.backend, job.judge.model) == ("imported", "their.qrels")
    assert job.judge.model_revision == hashlib.sha256(FILE.encode()).hexdigest()
    mapping = fitted(job)

    qrels = published(job, mapping)

    # Quantiles of 10, 40 and 90: q50 is 40, q75 is 65.
    assert mapping.thresholds == [40, 65]
    assert dict(qrels.pairs.values_list("docno", "grade").filter(topic="T1")) == {"D1": 2, "D2": 1, "D3": 0}
    assert Qrels.objects.get().provenance["backend"] == "imported"


def test_import_scores_keeps_a_score_of_zero_apart_from_none(pool: Pool) -> None:
    job = bring(pool, content="T1 0 D1 0\nT1 0 D2 -1\n")
    assert dict(job.calls.scored().values_list("docno", "raw_score")) == {"D1": 0, "D2": -1}
    assert set(job.calls.filter(raw_score=None).values_list("outcome", flat=True)) == {"not_in_file"}
    assert job.judge.track == pool.task.track  # other tracks do not see it


def test_import_scores_refuses_foreign_pairs_and_twins(pool: Pool) -> None:
    with refused("no-pair-in-pool"):
        bring(pool, content="T8 0 D8 1\n")
    bring(pool)
    with refused("judge-exists"):
        bring(pool, name="the-same-again")
    with refused("judge-of-a-file"):
        started(Job.objects.get().judge, pool)


def test_import_page_takes_a_file_and_names_its_bad_lines(client: Client, pool: Pool) -> None:
    client.force_login(pool.created_by)
    url = address("scores_import", pool.task)

    def post(content: bytes) -> str:
        given = {"name": "theirs", "pool": pool.pk, "file": SimpleUploadedFile("s.qrels", content)}
        return client.post(url, given, follow=True).content.decode()

    post(b"bad\n")
    run_operations()
    assert "line 1: 1 columns" in client.get(url).content.decode()
    assert not Job.objects.exists()
    post(FILE.encode())
    run_operations()
    assert "3 of 6 items have a score." in client.get(url).content.decode()
    assert "not_in_file" in client.get(address("job_detail", pool.task, Job.objects.get())).content.decode()


@pytest.mark.whole
def test_file_that_would_fill_the_memory_is_refused_and_the_page_answers(client: Client, pool: Pool) -> None:
    """20 MB of different pairs: they would take a gigabyte in the worker."""
    client.force_login(pool.created_by)
    url = address("scores_import", pool.task)
    content = b"".join(b"T1 0 %d 1\n" % number for number in range(1_500_000))
    given = {"name": "theirs", "pool": pool.pk, "file": SimpleUploadedFile("s.qrels", content)}
    client.post(url, given)
    run_operations()
    assert "the file needs more than 256 MB of memory" in client.get(url).content.decode()
