"""The judges: CLIPScore in two editions, by the tiny CLIP, on the judge worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.config.demo.steps.people import organizer
from evaluation.models import Qrels
from judges.actions.create_judge import create_judge
from judges.actions.fit_mapping import fit_mapping
from judges.actions.publish_job import publish_job
from judges.actions.start_job import start_job
from judges.core.settings import Settings
from judges.models import Job, JobState, Judge, Mapping

if TYPE_CHECKING:
    from evaluation.config.demo.progress import Progress
    from evaluation.config.demo.steps.training import Training
    from evaluation.config.demo.steps.waiting import Wait
    from evaluation.models import Pool
    from judges.models.job import JobQuerySet

PAPER_FIELDS = ("context_page_description", "context_section_description")
JUDGES: dict[str, dict[str, Any]] = {
    "clipscore-2021": {"prompt": "A photo depicts "},
    "clip-s-paper-2024": {"text_fields": PAPER_FIELDS},
}
"""By name what sets a judge apart: CLIPScore's own prompt; the texts that the source paper shows."""


def start_jobs(pool: Pool, clip: Training, tell: Progress) -> None:
    """Have each judge score the pool, where it has no job on it."""
    for name in JUDGES:
        judge = Judge.objects.filter(name=name).first() or _create(name, clip, tell)
        if not _jobs(pool).filter(judge=judge).exists():
            start_job(judge=judge, pool=pool, by=organizer())


def wait_for_jobs(pool: Pool, wait: Wait) -> None:
    """Wait until the pool is scored."""
    wait(lambda: _done(pool), f"letting CLIPScore judge the {pool.task.slug} task")


def publish_jobs(pool: Pool) -> None:
    """Freeze a mapping for each of the pool's jobs and publish its grades."""
    for job in _jobs(pool):
        if not Qrels.objects.filter(pool=pool, name=job.judge.name).exists():
            known = Mapping.objects.filter(judge=job.judge, pool=pool).first()
            mapping = known or fit_mapping(job=job, by=organizer())
            publish_job(job=job, mapping=mapping, by=organizer())


def _create(name: str, clip: Training, tell: Progress) -> Judge:
    # The backend fills in its revision, and pins the folder by the digest of its files.
    settings = Settings(
        backend="clip", revision=0, model=str(clip.folder(tell)), model_revision="", **JUDGES[name]
    )
    return create_judge(name=name, settings=settings, by=organizer())


def _jobs(pool: Pool) -> JobQuerySet:
    return Job.objects.filter(pool=pool, judge__name__in=JUDGES).exclude(state=JobState.CANCELLED)


def _done(pool: Pool) -> tuple[int, int]:
    """Texts and images encoded, and jobs closed, of all of them."""
    jobs = list(_jobs(pool).with_progress())
    done = sum(job.encoded_count + job.is_completed for job in jobs)
    return done, sum(job.input_count + 1 for job in jobs)
