"""Change a task's setup: its collection, its pictures, its opening."""

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from evaluation.access.schema.names import alike
from evaluation.collections.models import Collection, Picture
from evaluation.collections.storing import store_image
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError
from trackside.text.names import check_visible


@transaction.atomic
def choose_collection(*, task: Task, collection: Collection) -> None:
    """Give the task another collection of its track; delete the old one if it is empty and unused.

    Raises collection-stays.
    """
    if task.runs.exists():
        raise InputError(
            "Runs were checked against this collection. Make a new task instead.", code="collection-stays"
        )
    old = task.collection
    task.collection = collection
    task.save(update_fields=["collection"])
    if old != collection and not old.tasks.exists() and not old.documents.exists():
        old.delete()


@transaction.atomic
def add_picture(*, task: Task, name: str, content: bytes) -> Picture:
    """Store a picture for the guidelines. Raises name-taken, hidden-character, ImageUnreadable."""
    check_visible(name)
    if known := alike(task.pictures.all(), name).first():
        raise InputError(
            f"A picture is called {known} already. Choose another name, or remove that one.",
            code="name-taken",
        )
    return Picture.objects.create(task=task, name=name, image=store_image(content=content))


@transaction.atomic
def open_now(*, task: Task, missing: list[str]) -> None:
    """Set the opening to this moment, by the database clock. Raises not-ready."""
    locked = Task.objects.select_for_update().with_phase().get(pk=task.pk)
    if missing:
        raise InputError(f"The task cannot open yet. {' '.join(missing)}", code="not-ready")
    if locked.phase == "draft":
        Task.objects.filter(pk=task.pk).update(opens_at=Now())


def next_place(task: Task) -> int:
    """Return the place after the task's last question."""
    last = task.submission_questions.aggregate(last=Max("place"))["last"]
    return (last or 0) + 1


def check_is_empty(parent: Task | Track, *children: str) -> None:
    """Raise row-in-use if the parent has one of these children; none of them is read."""
    for name in children:
        if getattr(parent, name).exists():
            raise InputError(f"{parent} stays: it has {name}.", code="row-in-use", status=409)
