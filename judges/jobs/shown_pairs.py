"""What a judge would send of one pair of a task, for pages that show it before a job."""

from dataclasses import dataclass

from django.db.models import QuerySet

from evaluation.collections.blobs import Image
from evaluation.collections.models import Document, Topic
from evaluation.pools.models import Pool, PoolItem
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.models import Job, Side
from trackside.errors import InputError
from trackside.judging.inputs import (
    FieldsInput,
    Gap,
    ImageInput,
    Input,
    SideInput,
    TextInput,
    prompted,
    shown_pair,
)
from trackside.judging.judge import Unit
from trackside.judging.prompts import EVERY_FIELD, check_template, field_names, shown_of
from trackside.judging.rates import tokens_of

SEARCHED = 20  # pairs of the latest pools


@dataclass(frozen=True)
class PairPreview:
    """A pair as a judge reads it: texts, with the image if the part is one; or why nothing is sent.

    ``missing`` are fields that the prompt names and the pair lacks. ``token_count`` estimates the texts.
    """

    parts: tuple[tuple[str, Image | None], ...] = ()
    gap: str = ""
    missing: tuple[str, ...] = ()

    @property
    def token_count(self) -> int:
        """An estimate: the model's own tokenizer counts otherwise."""
        return tokens_of((text for text, image in self.parts if image is None), 0, 0)


def pooled_pair(
    task: Task, topics: QuerySet[Topic], documents: QuerySet[Document]
) -> tuple[Topic, Document] | None:
    """Return the first pair of the latest pool whose items are among these; None without one."""
    items = list(
        PoolItem.objects.filter(pool__task=task).order_by("-pool__created_at", "position")[:SEARCHED]
    )
    by_number = {topic.number: topic for topic in topics.filter(number__in=[item.topic for item in items])}
    by_docno = {row.docno: row for row in documents.filter(docno__in=[item.docno for item in items])}
    pairs = ((by_number.get(item.topic), by_docno.get(item.docno)) for item in items)
    return next(((topic, document) for topic, document in pairs if topic and document), None)


def any_pair(task: Task) -> tuple[Topic, Document] | None:
    """Return the first pair of the task's latest pool; None without one."""
    documents = Document.objects.filter(collection=task.collection_id)
    return pooled_pair(task, task.topics.select_related("image"), documents.select_related("image"))


def show_pair(task: Task, judge: Judge, topic: Topic, document: Document) -> PairPreview:
    """Return what the judge, which need not be stored, would read of the pair."""
    job = Job(judge=judge, pool=Pool(task=task))
    try:
        unit = judge.unit
        if unit.is_asked:
            check_template(judge.prompt)
    except InputError as error:  # the backend's package is not installed, or has no use for the prompt
        return PairPreview(gap=str(error))
    if unit == Unit.JUDGES:
        return PairPreview(gap="it reads the scores of its members")
    names = ((Side.TOPIC, topic.number), (Side.DOCUMENT, document.docno))
    inputs = [job.inputs(side, [name])[name] for side, name in names]
    shown_images = [*topic.images, *document.images]
    images = {key: image for image in shown_images for key in (image.small_id, image.original_id)}
    if gap := next((item for item in inputs if isinstance(item, Gap)), None):
        return PairPreview(gap=str(gap))
    if not unit.is_asked:
        return PairPreview(tuple(part for item in inputs for part in _encoded(item, images)))
    prompt = shown_pair(judge.prompt, *inputs)
    if prompt is None:
        return PairPreview(gap="the prompt shows one text and one image")
    texts, blobs = prompt
    pictures = iter([images[blob] for blob in blobs])
    parts = tuple(("", next(pictures)) if text is None else (text, None) for text in texts)
    return PairPreview(parts, missing=tuple(_missing(judge.prompt, inputs)))


def _encoded(item: Input | Gap, images: dict[str, Image]) -> list[tuple[str, Image | None]]:
    match item:
        case TextInput():
            return [(prompted(item.prompt, text), None) for text in item.texts]
        case ImageInput():
            return [("", images[blob]) for blob in item.blobs]
    return []


def _missing(template: str, inputs: list[Input | Gap]) -> list[str]:
    """Return the fields that the prompt names and the pair's items lack."""
    missing: list[str] = []
    for side, item in zip(Side, inputs, strict=True):
        match item:
            case SideInput(fields):
                names = {*dict(fields), EVERY_FIELD, "image"}
                missing += [f"{side}.{name}" for name in shown_of(template, side) if name not in names]
            case FieldsInput(fields):
                missing += [name for name in field_names(template) if name not in dict(fields)]
    return missing
