"""Jobs whose requests go to a scripted endpoint in files."""

from decimal import Decimal

from django.db.models.functions import Now

from evaluation.models import Pool
from judges.grades.finishing import finish_job
from judges.jobs.files import advance_files
from judges.jobs.running import run_shard
from judges.models import Job, Judge, Price, RequestFile
from tests.judges.batch_endpoint import BatchScript
from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Endpoint
from tests.judges.factories import make_endpoint_judge, make_image_pool, started

COST = PROMPT_TOKENS + 2 * COMPLETION_TOKENS  # half of 2 and 4 a million: the price of batches


def judge_at(endpoint: Endpoint) -> Judge:
    judge = make_endpoint_judge(endpoint.url, backend="openai_batch")
    prices = {"input_price": Decimal(2), "output_price": Decimal(4), "image_tokens": 10, "batch_percent": 50}
    Price.objects.get_or_create(model=judge.model, defaults=prices)
    return judge


def start(endpoint: Endpoint, pool: Pool | None = None, cap_micros: int = 10**9) -> Job:
    pool = pool or make_image_pool()
    return started(judge_at(endpoint), pool, cap_micros=cap_micros)


def submit(job: Job) -> None:
    """Run the workers' tasks until the endpoint has all files."""
    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)
        advance_files(shard_id=shard.pk)


def look(job: Job) -> None:
    """Let the time pass until files are due again."""
    RequestFile.objects.update(poll_at=Now())
    for shard in job.shards.all():
        advance_files(shard_id=shard.pk)
    job.refresh_from_db()


def collect(job: Job, script: BatchScript) -> Job:
    """Let the endpoint end its batches until no request is left."""
    script.is_open = False
    for _ in range(6):
        look(job)
        for shard in job.shards.open():
            run_shard(shard_id=shard.pk)
        if job.is_active and not job.shards.open().exists():
            finish_job(job_id=job.pk)
    return Job.objects.with_progress().get(pk=job.pk)
