"""Adds the topics and documents of the demo's tasks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from evaluation.collections.actions import add_documents, add_topics
from evaluation.demo.progress import Progress
from evaluation.demo.steps.pictures import Pictures
from evaluation.demo.world import CaptionedPicture, DemoTask, Item
from evaluation.tracks.models import Task
from trackside.items import NewItem

BATCH = 20
Add: TypeAlias = Callable[[Sequence[NewItem]], int]


def add_items(task: Task, world: DemoTask, pictures: Pictures, progress: Progress) -> None:
    """Add the missing topics and documents of the task, a few per transaction."""
    topics = _new_items(world.topics, task.topics.values_list("number", flat=True), pictures)
    documents = _new_items(
        world.documents, task.collection.documents.values_list("docno", flat=True), pictures
    )
    done, total = 0, len(topics) + len(documents)
    parts = [
        *_parts(topics, lambda items: add_topics(task=task, items=items)),
        *_parts(documents, lambda items: add_documents(collection=task.collection, items=items)),
    ]
    for items, add in parts:
        progress(done, total, f"storing the items of the {world.name} task")
        done += add(items)
    if parts:
        progress(done, total, f"storing the items of the {world.name} task")


def _new_items(items: Iterable[Item], known: Iterable[str], pictures: Pictures) -> list[NewItem]:
    names = set(known)
    return [_new_item(item, pictures) for item in items if item.id not in names]


def _new_item(item: Item, pictures: Pictures) -> NewItem:
    image = pictures.files[item.id] if isinstance(item, CaptionedPicture) else None
    return NewItem(item.id, tuple(item.fields.items()), image)


def _parts(items: Sequence[NewItem], add: Add) -> Iterator[tuple[Sequence[NewItem], Add]]:
    return ((items[start : start + BATCH], add) for start in range(0, len(items), BATCH))
