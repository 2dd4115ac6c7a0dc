"""What a reader may look at: runs as their files are guarded, grades as the qrels are; assessors nothing."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser

from evaluation.collections.models import Topic, TopicQuerySet
from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.runs.models import Run
from evaluation.tracks.models import Task

CAPTION = 90  # characters of a text in a list


def visible_topics(task: Task, reader: User | AnonymousUser) -> TopicQuerySet:
    """Return the task's topics that the reader may see, by number."""
    return Topic.objects.visible_to(reader).filter(task=task).order_by("number")


def shown_runs(task: Task, reader: User | AnonymousUser) -> list[Run]:
    """Return the accepted runs whose results the reader may see: as the files of runs are guarded."""
    runs = Run.objects.visible_to(reader).accepted().filter(task=task).with_opened_to(reader)
    return [run for run in runs.select_related("team").order_by("tag") if run.has_file]


def people_and_judges(choices: Sequence[Qrels]) -> tuple[Qrels | None, list[Qrels]]:
    """Return the newest qrels of people, None without any, and those of the models."""
    people = next((qrels for qrels in choices if qrels.kind == QrelsKind.HUMAN), None)
    return people, [qrels for qrels in choices if qrels.kind == QrelsKind.MODEL]


def beginning_of(text: str, most: int = CAPTION) -> str:
    """Return the text, cut at a blank if it is longer."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"
