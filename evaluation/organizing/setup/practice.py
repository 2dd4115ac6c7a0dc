"""Make a practice task from the topics of another task."""

from django.db import transaction

from evaluation.collections.models import Topic
from evaluation.organizing.setup.actions import choose_collection
from evaluation.platform.access.people import User
from evaluation.results.qrels.actions import publish_again
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.tracks.models import Task
from trackside.errors import InputError

COPIED = ("number", "fields", "image_id", "more_images", "note", "stratum")


@transaction.atomic
def copy_topics(*, source: Task, practice: Task, by: User) -> None:
    """Give a new practice task the active topics of a task, and its collection if both are of one track.

    It also gets people's qrels if those are open; else organizers import their own. Raises other-kind,
    other-track, and as publish_qrels.
    """
    is_open = Task.objects.with_open_results().contains(source)
    if not is_open and source.track_id != practice.track_id:
        raise InputError(
            f"{source.name} of {source.track} is not released, and its topics would stay in its scores. Make "
            "the practice task in that track, or wait for the release.",
            code="other-track",
        )
    if practice.kind != source.kind:
        raise InputError(
            f"A practice task has the kind of {source.name}: {source.get_kind_display()}.", code="other-kind"
        )
    if source.track_id == practice.track_id:
        choose_collection(task=practice, collection=source.collection)
        practice.corpus = source.corpus
        practice.save(update_fields=["corpus"])
    rows = source.topics.active().order_by("pk").values(*COPIED)
    Topic.objects.bulk_create(Topic(task=practice, **row) for row in rows)
    if is_open:
        for qrels in Qrels.objects.filter(task=source, kind=QrelsKind.HUMAN).current():
            publish_again(qrels=qrels, task=practice, by=by)
