"""The judges that answer in text: the tiny LLaVA in the judge worker, and the same behind an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.demo.models.llava_lessons import IMAGE_FIRST, NEAR, SAME, TEXT_FIRST
from evaluation.demo.seeds import SEED
from evaluation.demo.steps.people import organizer
from evaluation.demo.steps.pool import main_pool
from evaluation.pools.actions import build_pool
from evaluation.qrels.models import Qrels
from evaluation.runs.models import Run
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.grades.models import Mapping
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.models import Job
from judges.jobs.starting import start_job
from judges.prompts.actions import create_prompt
from judges.prompts.models import Prompt
from trackside.judging.checkpoint import pinned_revision
from trackside.judging.settings import Settings
from trackside.pooling.recipes import DepthRecipe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from evaluation.demo.progress import Progress
    from evaluation.demo.steps.serving import Serve
    from evaluation.demo.steps.training import TrainingProcess
    from evaluation.demo.steps.waiting import Wait
    from evaluation.pools.models import Pool
    from evaluation.tracks.models import Task

SMALL_POOL, TOPICS, DEPTH = "eight topics", 8, 4
FORM = "relevance-1-100"
IN_PROCESS, SERVED = "tiny-llava", "tiny-llava-served"
CUTS = (float(NEAR), float(SAME))
"""Fixed cuts: the LLaVA gives only three scores, so two quantile cuts could fall on the same one."""
LONGEST = {"max_tokens": 24}


def judge_in_words(
    task: Task,
    models: tuple[TrainingProcess, TrainingProcess],
    serve: Serve,
    progress: Progress,
    wait: Wait,
    *,
    is_full: bool,
) -> None:
    """Let both judges grade the task's pool of eight topics, or of all topics.

    ``models`` are the CLIP whose vision tower the LLaVA uses, and the LLaVA. The server starts while the
    LLaVA is trained and while it judges in the judge worker.
    """
    pool = main_pool(task) if is_full else _small_pool(task)
    jobs = _jobs([pool])
    if len(jobs) == 2 and all(job.is_completed for job in jobs):
        return
    for model in models:
        model.begin()
    known = Judge.objects.filter(name=SERVED).first()
    with serve(known.endpoint if known else "") as server:
        folder = models[-1].folder(progress)
        _start(_in_process(folder), pool)
        server.wait()
        _start(known or _served(folder, server.url), pool)
        wait(lambda: _done(pool), f"letting the tiny LLaVA judge the {task.slug} task, twice")


def publish_words(task: Task) -> None:
    """Freeze a mapping for each job of these judges on the task and publish its grades."""
    for job in _jobs(task.pools.all()):
        pool = job.pool
        if not Qrels.objects.filter(pool=pool, name=job.judge.name).exists():
            existing = Mapping.objects.filter(judge=job.judge, pool=pool).first()
            mapping = existing or fit_mapping(job=job, by=organizer(), cuts=CUTS)
            publish_job(job=job, mapping=mapping, by=organizer())


def _small_pool(task: Task) -> Pool:
    """Return a pool of the first topics with some of the main pool's pairs; only models judge it."""
    if known := task.pools.filter(name=SMALL_POOL).first():
        return known
    topics = tuple(task.topics.order_by("number").values_list("number", flat=True)[:TOPICS])
    depths = {run.pk: DEPTH for run in Run.objects.accepted().filter(task=task)}
    recipe = DepthRecipe(topics)
    return build_pool(task=task, name=SMALL_POOL, seed=SEED, by=organizer(), depths=depths, recipe=recipe)


def _in_process(folder: Path) -> Judge:
    """Return the in-process judge; its prompt starts with the image, as in LLaVA's training."""
    if known := Judge.objects.filter(name=IN_PROCESS).first():
        return known
    return _create(IN_PROCESS, IMAGE_FIRST, backend="llava", model=str(folder), model_revision="")


def _served(folder: Path, url: str) -> Judge:
    """Return the endpoint judge; its prompt starts with the text, so that endpoints can cache prefixes."""
    revision = pinned_revision(str(folder), "")  # a server's model name alone does not pin its weights
    where = {"backend": "openai_chat", "endpoint": url, "model": str(folder), "model_revision": revision}
    return _create(SERVED, TEXT_FIRST, **where)


def _create(name: str, template: str, **where: Any) -> Judge:
    if not Prompt.objects.filter(name=name).exists():
        create_prompt(name=name, template=template, answer=FORM, by=organizer())
    settings = Settings(revision=0, prompt=template, answer=FORM, decoding=LONGEST, **where)
    return create_judge(name=name, settings=settings, by=organizer())


def _start(judge: Judge, pool: Pool) -> None:
    if not Job.objects.filter(judge=judge, pool=pool).exists():
        start_job(judge=judge, pool=pool, by=organizer())


def _jobs(pools: Iterable[Pool]) -> list[Job]:
    jobs = Job.objects.filter(pool__in=pools, judge__name__in=(IN_PROCESS, SERVED))
    return list(jobs.with_progress().select_related("judge", "pool"))


def _done(pool: Pool) -> tuple[int, int]:
    """Return the number of finished pairs plus closed jobs, and their total."""
    jobs = _jobs([pool])
    done = sum(job.scored_count + job.gap_count + job.is_completed for job in jobs)
    return done, sum(job.pair_count + 1 for job in jobs)
