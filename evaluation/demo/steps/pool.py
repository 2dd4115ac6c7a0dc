"""Closes a demo task, draws its pool and assigns its topics."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from assessment.assigning.actions import assign_topics
from evaluation.demo.seeds import SEED
from evaluation.demo.steps.people import let_visitor_assess, organizer
from evaluation.pools.actions import build_pool
from evaluation.pools.models import Pool
from evaluation.runs.models import Run
from evaluation.tracks.models import Task

MAIN, SECOND_LOOK = "main", "second look"
SECOND_PERCENT = 25  # per cent of topics that are graded twice
VISITOR_DEPTH, VISITOR_PERCENT = 3, 10  # about a dozen items on each of four topics
VISITOR_SEED = 2  # draws only topics that are not graded twice
JUDGING_FOR = timedelta(days=28)


@transaction.atomic
def close_and_pool(task: Task) -> None:
    """Close the task for runs, open judging, freeze the pool and assign the topics."""
    Task.objects.filter(pk=task.pk).update(closes_at=Now(), judging_at=Now(), releases_at=Now() + JUDGING_FOR)
    pool = build_pool(task=task, name=MAIN, seed=SEED, by=organizer())
    assign_topics(pool=pool, second_percent=SECOND_PERCENT, seed=SEED, by=organizer())


def has_pool(task: Task) -> bool:
    """Whether all runs are in and the task is closed."""
    return task.pools.filter(name=MAIN).exists()


def main_pool(task: Task) -> Pool:
    """Return the pool with all the grades."""
    return task.pools.get(name=MAIN)


@transaction.atomic
def leave_work(task: Task) -> None:
    """Give the visitors' assessor a small pool to judge as second assessor.

    The topics keep their assessors, and her load is the smallest, so all second assignments are hers.
    """
    if task.pools.filter(name=SECOND_LOOK).exists():
        return
    let_visitor_assess(task.track)
    depths = {run.pk: VISITOR_DEPTH for run in Run.objects.accepted().filter(task=task)}
    pool = build_pool(task=task, name=SECOND_LOOK, seed=VISITOR_SEED, by=organizer(), depths=depths)
    assign_topics(pool=pool, second_percent=VISITOR_PERCENT, seed=VISITOR_SEED, by=organizer())


def release(task: Task) -> None:
    """Release the task now unless it is released."""
    Task.objects.filter(pk=task.pk, releases_at__gt=Now()).update(releases_at=Now())
