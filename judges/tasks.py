"""Celery tasks of the judges. Each calls one idempotent action."""

from celery import shared_task

from judges.catalogue.actions import ask_shutdown, sweep_shutdowns
from judges.grades.finishing import finish_job
from judges.jobs.files import advance_files
from judges.jobs.running import run_shard
from judges.jobs.sweeping import sweep_jobs
from judges.trials.actions import run_trial, sweep_trials
from judges.trials.comparing import run_comparison

# Rows hold the work of a job, and a sweep requeues the work of dead workers and lost messages. So messages
# of work that takes minutes are acknowledged at once, before any broker's timeout.


@shared_task(name="judges.run_shard", acks_late=False)
def run(shard_id: int) -> None:
    """Encode the texts or images of a shard, or send its pairs; takes minutes."""
    run_shard(shard_id=shard_id)


@shared_task(name="judges.run_files", acks_late=False)
def files(shard_id: int) -> None:
    """Upload, submit, poll and collect the shard's due request files."""
    advance_files(shard_id=shard_id)


@shared_task(name="judges.run_shutdown")
def shutdown(judge_id: int) -> None:
    """Fetch the shutdown date of a judge's model from its endpoint; only this worker has the keys."""
    ask_shutdown(judge_id=judge_id)


@shared_task(name="judges.sweep_shutdowns")
def shutdowns() -> None:
    """Queue the request for every judge; beat sends it a few times a day."""
    sweep_shutdowns()


@shared_task(name="judges.finish_job", acks_late=False)
def finish(job_id: int) -> None:
    """Score the pairs of a job whose shards are done; no model is needed."""
    finish_job(job_id=job_id)


@shared_task(name="judges.sweep_jobs")
def sweep() -> None:
    """Requeue shards that no live worker holds and trials that none has started; beat sends it often."""
    sweep_jobs()
    sweep_trials()


@shared_task(name="judges.try_judge", acks_late=False)
def trial(trial_id: int) -> None:
    """Try a judge on one pair. A separate worker does it, so that it need not wait for jobs."""
    run_trial(trial_id=trial_id)


@shared_task(name="judges.try_prompts", acks_late=False)
def comparison(comparison_id: int) -> None:
    """Let a judge answer two prompts on the same pairs; takes minutes."""
    run_comparison(comparison_id=comparison_id)
