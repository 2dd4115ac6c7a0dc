"""Builds the demo's track, from the first account to the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.demo.seeds import SEED
from evaluation.demo.steps.grades import grade_pool
from evaluation.demo.steps.items import add_items
from evaluation.demo.steps.judging import start_jobs
from evaluation.demo.steps.pictures import Pictures
from evaluation.demo.steps.pool import close_and_pool, has_pool, leave_work, main_pool, release
from evaluation.demo.steps.report import publish_grades, wait_for_report
from evaluation.demo.steps.track import prepare_track
from evaluation.demo.world import FULL, WorldSize, make_world

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.demo.progress import Progress
    from evaluation.demo.steps.training import TrainingProcess
    from evaluation.demo.steps.waiting import Wait
    from evaluation.tracks.models import Track


def build_track(
    clip: TrainingProcess,
    progress: Progress,
    wait: Wait,
    *,
    size: WorldSize = FULL,
    second: Iterable[TrainingProcess] = (),
) -> Track:
    """Build the missing parts of the demo's track, up to the grades of people and CLIPScore.

    The promotion task has no other judges, so its grades are published here, and a worker computes its report
    while the caller continues. The trainings in ``second`` start when the next steps only wait for the CLIP.
    Raises InputError if the site rejects something or makes no progress.
    """
    track, world = prepare_track(), make_world(SEED, size=size)
    pictures = Pictures(world, progress)
    tasks = [(track.tasks.get(slug=part.name), part) for part in (world.suggestion, world.promotion)]
    for task, part in tasks:
        add_items(task, part, pictures, progress)
    for training in second:
        training.begin()
    for task, part in tasks:
        if not has_pool(task):
            from evaluation.demo.steps.runs import submit_runs  # loads torch, for seconds

            submit_runs(task, part, pictures, clip, progress, wait)
            close_and_pool(task)
        start_jobs(main_pool(task), clip, progress)
    for task, part in tasks:
        grade_pool(main_pool(task), part, progress)
    (_, (promotion, _)) = tasks
    publish_grades(promotion, wait)
    return track


def finish_track(track: Track, wait: Wait) -> None:
    """Publish all grades and wait for the reports.

    Afterwards the suggestion task is in its judging phase, with work left for a visitor, and the promotion
    task is released.
    """
    suggestion, promotion = (track.tasks.get(slug=slug) for slug in ("suggestion", "promotion"))
    publish_grades(suggestion, wait)
    for task in (promotion, suggestion):
        wait_for_report(task, wait)
    leave_work(suggestion)
    release(promotion)
