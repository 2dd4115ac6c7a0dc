"""The close of a demo task, its pool, and who judges what."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from assessment.actions.assign_topics import assign_topics
from evaluation.actions.build_pool import build_pool
from evaluation.config.demo.steps.people import let_visitor_assess, organizer
from evaluation.config.demo.steps.track import SEED
from evaluation.models import Pool, Run, Task

MAIN, SECOND_LOOK = "main", "second look"
SECOND_PERCENT = 25  # of the topics are graded twice
VISITOR_DEPTH, VISITOR_PERCENT = 3, 10  # some dozen items on each of four topics
VISITOR_SEED = 2  # draws topics that nobody graded twice
JUDGING_FOR = timedelta(days=28)


@transaction.atomic
def close_and_pool(task: Task) -> None:
    """Close the task for runs, open its judging, freeze its pool and assign the topics."""
    Task.objects.filter(pk=task.pk).update(closes_at=Now(), judging_at=Now(), releases_at=Now() + JUDGING_FOR)
    pool = build_pool(task=task, name=MAIN, seed=SEED, by=organizer())
    assign_topics(pool=pool, second_percent=SECOND_PERCENT, seed=SEED, by=organizer())


def has_pool(task: Task) -> bool:
    """Whether all runs are in and the task is closed."""
    return task.pools.filter(name=MAIN).exists()


def main_pool(task: Task) -> Pool:
    """The pool that all the grades are of."""
    return task.pools.get(name=MAIN)


@transaction.atomic
def leave_work(task: Task) -> None:
    """Give the visitors' assessor something to judge: a small pool on which she is the second assessor.

    Its topics stay with their owners, and she has the least to do, so every second look falls to her.
    """
    if task.pools.filter(name=SECOND_LOOK).exists():
        return
    let_visitor_assess(task.track)
    depths = {run.pk: VISITOR_DEPTH for run in Run.objects.accepted().filter(task=task)}
    pool = build_pool(task=task, name=SECOND_LOOK, seed=VISITOR_SEED, by=organizer(), depths=depths)
    assign_topics(pool=pool, second_percent=VISITOR_PERCENT, seed=VISITOR_SEED, by=organizer())


def release(task: Task) -> None:
    """Release the task now, unless it is."""
    Task.objects.filter(pk=task.pk, releases_at__gt=Now()).update(releases_at=Now())
