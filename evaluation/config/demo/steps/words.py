"""The judges that answer in words: the tiny LLaVA in the judge worker, and the same behind an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.actions.build_pool import build_pool
from evaluation.config.demo.llava_lessons import IMAGE_FIRST, NEAR, SAME, TEXT_FIRST
from evaluation.config.demo.steps.people import organizer
from evaluation.config.demo.steps.pool import main_pool
from evaluation.config.demo.steps.track import SEED
from evaluation.core.pool_recipes import DepthRecipe
from evaluation.models import Qrels, Run
from judges.actions.create_judge import create_judge
from judges.actions.create_prompt import create_prompt
from judges.actions.fit_mapping import fit_mapping
from judges.actions.publish_job import publish_job
from judges.actions.start_job import start_job
from judges.core.checkpoint import pinned_revision
from judges.core.settings import Settings
from judges.models import Job, Judge, Mapping, Prompt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from evaluation.config.demo.progress import Progress
    from evaluation.config.demo.steps.serving import Serve
    from evaluation.config.demo.steps.training import Training
    from evaluation.config.demo.steps.waiting import Wait
    from evaluation.models import Pool, Task

SMALL_POOL, TOPICS, DEPTH = "eight topics", 8, 4
FORM = "relevance-1-100"
IN_PROCESS, SERVED = "tiny-llava", "tiny-llava-served"
CUTS = (float(NEAR), float(SAME))
"""It knows three scores: of two cuts by quantiles both may fall on one of them."""
LONGEST = {"max_tokens": 24}


def judge_in_words(
    task: Task, models: tuple[Training, Training], serve: Serve, tell: Progress, wait: Wait, *, is_full: bool
) -> None:
    """Have both judge the task's pool of eight topics, or all of them.

    ``models`` are the CLIP that the LLaVA sees with, and the LLaVA. The server starts while it is trained,
    and while the judge worker has it judge in process.
    """
    pool = main_pool(task) if is_full else _small_pool(task)
    jobs = _jobs([pool])
    if len(jobs) == 2 and all(job.is_completed for job in jobs):
        return
    for model in models:
        model.begin()
    known = Judge.objects.filter(name=SERVED).first()
    with serve(known.endpoint if known else "") as server:
        folder = models[-1].folder(tell)
        _start(_in_process(folder), pool)
        server.wait()
        _start(known or _served(folder, server.url), pool)
        wait(lambda: _done(pool), f"letting the tiny LLaVA judge the {task.slug} task, twice")


def publish_words(task: Task) -> None:
    """Freeze a mapping for each of their jobs on the task and publish its grades."""
    for job in _jobs(task.pools.all()):
        pool = job.pool
        if not Qrels.objects.filter(pool=pool, name=job.judge.name).exists():
            kept = Mapping.objects.filter(judge=job.judge, pool=pool).first()
            mapping = kept or fit_mapping(job=job, by=organizer(), cuts=CUTS)
            publish_job(job=job, mapping=mapping, by=organizer())


def _small_pool(task: Task) -> Pool:
    """Some of the main pool's pairs of the first topics; models alone judge it."""
    if known := task.pools.filter(name=SMALL_POOL).first():
        return known
    topics = tuple(task.topics.order_by("number").values_list("number", flat=True)[:TOPICS])
    depths = {run.pk: DEPTH for run in Run.objects.accepted().filter(task=task)}
    recipe = DepthRecipe(topics)
    return build_pool(task=task, name=SMALL_POOL, seed=SEED, by=organizer(), depths=depths, recipe=recipe)


def _in_process(folder: Path) -> Judge:
    """Image first, as LLaVA was made."""
    if known := Judge.objects.filter(name=IN_PROCESS).first():
        return known
    return _create(IN_PROCESS, IMAGE_FIRST, backend="llava", model=str(folder), model_revision="")


def _served(folder: Path, url: str) -> Judge:
    """Text first, as an endpoint likes it that keeps what prompts have in common."""
    revision = pinned_revision(str(folder), "")  # a server's model: its name alone would not fix it
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
    """Pairs that have their end, and jobs closed, of all of them."""
    jobs = _jobs([pool])
    done = sum(job.scored_count + job.gap_count + job.is_completed for job in jobs)
    return done, sum(job.pair_count + 1 for job in jobs)
