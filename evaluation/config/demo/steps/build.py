"""The whole of the demo's track, from the first account to the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.config.demo.steps.grades import grade_pool
from evaluation.config.demo.steps.items import add_items
from evaluation.config.demo.steps.judging import start_jobs
from evaluation.config.demo.steps.pictures import Pictures
from evaluation.config.demo.steps.pool import close_and_pool, has_pool, leave_work, main_pool, release
from evaluation.config.demo.steps.report import publish_grades, wait_for_report
from evaluation.config.demo.steps.track import SEED, prepare_track
from evaluation.config.demo.world import FULL, WorldSize, make_world

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.config.demo.progress import Progress
    from evaluation.config.demo.steps.training import Training
    from evaluation.config.demo.steps.waiting import Wait
    from evaluation.models import Track


def build_track(
    clip: Training, tell: Progress, wait: Wait, *, size: WorldSize = FULL, second: Iterable[Training] = ()
) -> Track:
    """Build the demo's track, or what is missing of it, up to the grades of people and CLIPScore.

    The promotion task's are published, since no other judge comes to it: a worker computes its report
    meanwhile. The trainings of ``second`` begin when there is little left but to wait for the CLIP. Raises
    InputError when the site refuses something, or nothing happens any more.
    """
    track, world = prepare_track(), make_world(SEED, size=size)
    pictures = Pictures(world, tell)
    tasks = [(track.tasks.get(slug=part.name), part) for part in (world.suggestion, world.promotion)]
    for task, part in tasks:
        add_items(task, part, pictures, tell)
    for training in second:
        training.begin()
    for task, part in tasks:
        if not has_pool(task):
            from evaluation.config.demo.steps.runs import submit_runs  # loads torch, for seconds

            submit_runs(task, part, pictures, clip, tell, wait)
            close_and_pool(task)
        start_jobs(main_pool(task), clip, tell)
    for task, part in tasks:
        grade_pool(main_pool(task), part, tell)
    (_, (promotion, _)) = tasks
    publish_grades(promotion, wait)
    return track


def finish_track(track: Track, wait: Wait) -> None:
    """Publish what all have graded, and wait for the reports.

    In the end the suggestion task is in its judging, with work left for a visitor, and the promotion task is
    released.
    """
    suggestion, promotion = (track.tasks.get(slug=slug) for slug in ("suggestion", "promotion"))
    publish_grades(suggestion, wait)
    for task in (promotion, suggestion):
        wait_for_report(task, wait)
    leave_work(suggestion)
    release(promotion)
