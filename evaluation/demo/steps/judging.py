"""The CLIPScore judges: three presets of the tiny CLIP, run by the judge worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.demo.steps.people import organizer
from evaluation.qrels.models import Qrels
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.grades.models import Mapping
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.models import Job
from judges.jobs.starting import start_job
from judges.jobs.states import JobState
from trackside.judging.presets import CLIP_PRESETS
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    from evaluation.demo.progress import Progress
    from evaluation.demo.steps.training import TrainingProcess
    from evaluation.demo.steps.waiting import Wait
    from evaluation.pools.models import Pool
    from judges.jobs.models import JobQuerySet

JUDGES = ("clip-four-fields", "clip-context-only", "clipscore-2021")
"""Presets: the text fields of the source paper, a part of them, and CLIPScore's own prompt."""


def start_jobs(pool: Pool, clip: TrainingProcess, progress: Progress) -> None:
    """Start a job of each judge on the pool unless it has one."""
    for name in JUDGES:
        judge = Judge.objects.filter(name=name).first() or _create(name, clip, progress)
        if not _jobs(pool).filter(judge=judge).exists():
            start_job(judge=judge, pool=pool, by=organizer())


def wait_for_jobs(pool: Pool, wait: Wait) -> None:
    """Wait until all jobs have scored the pool."""
    wait(lambda: _done(pool), f"letting CLIPScore judge the {pool.task.slug} task")


def publish_jobs(pool: Pool) -> None:
    """Freeze a mapping for each of the pool's jobs and publish its grades."""
    for job in _jobs(pool):
        if not Qrels.objects.filter(pool=pool, name=job.judge.name).exists():
            known = Mapping.objects.filter(judge=job.judge, pool=pool).first()
            mapping = known or fit_mapping(job=job, by=organizer())
            publish_job(job=job, mapping=mapping, by=organizer())


def _create(name: str, clip: TrainingProcess, progress: Progress) -> Judge:
    # The backend fills in its revision and pins the folder by a digest of its files.
    settings = Settings(
        backend="clip",
        revision=0,
        model=str(clip.folder(progress)),
        model_revision="",
        **CLIP_PRESETS[name].choices,
    )
    return create_judge(name=name, settings=settings, by=organizer())


def _jobs(pool: Pool) -> JobQuerySet:
    return Job.objects.filter(pool=pool, judge__name__in=JUDGES).exclude(state=JobState.CANCELLED)


def _done(pool: Pool) -> tuple[int, int]:
    """Return the number of encoded texts and images plus closed jobs, and their total."""
    jobs = list(_jobs(pool).with_progress())
    done = sum(job.encoded_count + job.is_completed for job in jobs)
    return done, sum(job.input_count + 1 for job in jobs)
