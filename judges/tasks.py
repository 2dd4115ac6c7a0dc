"""What workers do for the judges. Each task calls one action and may run twice without harm."""

from celery import shared_task

from judges.actions.advance_files import advance_files
from judges.actions.ask_shutdown import ask_shutdown
from judges.actions.finish_job import finish_job
from judges.actions.mail_job import mail_job
from judges.actions.run_shard import run_shard
from judges.actions.sweep_jobs import sweep_jobs


@shared_task(name="judges.run_shard")
def run(shard_id: int) -> None:
    """Encode the texts or images of a shard; minutes of a model's work."""
    run_shard(shard_id=shard_id)


@shared_task(name="judges.run_files")
def files(shard_id: int) -> None:
    """Hand over, submit, look after and collect the shard's files of requests, as far as they are due."""
    advance_files(shard_id=shard_id)


@shared_task(name="judges.run_shutdown")
def shutdown(judge_id: int) -> None:
    """Ask the endpoint of a judge when its model will be shut down: this worker has the keys."""
    ask_shutdown(judge_id=judge_id)


@shared_task(name="judges.finish_job")
def finish(job_id: int) -> None:
    """Score the pairs of a job whose shards are done; no model is needed."""
    finish_job(job_id=job_id)


@shared_task(name="judges.sweep_jobs")
def sweep() -> None:
    """Queue again what no living worker holds; beat sends it every few seconds."""
    sweep_jobs()


@shared_task(name="judges.mail_job")
def mail(job_id: int) -> None:
    """Tell whoever started a job how it went."""
    mail_job(job_id=job_id)
