"""Builds the demo's track, from the first account to the reports."""

from collections.abc import Callable

from evaluation.demo.scenes import SEED
from evaluation.demo.steps.grades import close_and_grade, leave_work, release
from evaluation.demo.steps.judging import is_reported, let_clip_judge, let_llava_judge, publish_grades
from evaluation.demo.steps.track import Wait, add_items, prepare_track, submit_runs
from evaluation.demo.steps.training import ModelFolders
from evaluation.demo.world import FULL, WorldSize, make_world
from evaluation.tracks.models import Track


def build_track(
    models: ModelFolders, say: Callable[[str], None], wait: Wait, size: WorldSize = FULL
) -> Track:
    """Build the missing parts of the demo's track.

    At its end the suggestion task is in its judging phase, with work left for a visitor, and the promotion
    task is released. Raises InputError if the site rejects something or makes no progress.
    """
    track = prepare_track()
    tasks = [(track.tasks.get(slug=world.name), world) for world in make_world(SEED, size)]
    say("Drawing and storing pictures and texts, while a tiny CLIP and a tiny LLaVA are trained.")
    for task, world in tasks:
        add_items(task, world)
    wait(models.clip.is_dir)
    for task, world in tasks:
        say(f"{task.name}: retrieving and checking runs, pooling, and grading by simulated people and CLIP.")
        if not task.pools.exists():
            submit_runs(task, world, models.clip, wait)
            close_and_grade(task, world)
        let_clip_judge(task, models.clip)
    (suggestion, _), (promotion, _) = tasks
    publish_grades(promotion, wait)
    say(f"{suggestion.name}: grading eight topics by LLaVA.")
    wait(models.llava.is_dir)
    let_llava_judge(suggestion, models.llava)
    publish_grades(suggestion, wait)
    say("Computing the reports.")
    wait(lambda: all(is_reported(task) for task, _ in tasks))
    leave_work(suggestion)
    release(promotion)
    return track
