"""Documents that look alike on a wall."""

from collections.abc import Collection

from assessment.core.alike import Sight, group_alike
from evaluation.collections.models import Document
from trackside.text.visible import visible_fields


def find_alike(collection: int, docnos: Collection[str]) -> dict[str, int]:
    """Return the group of each docno: those of a group look alike."""
    documents = Document.objects.filter(collection=collection, docno__in=docnos).select_related("image")
    fields = ("docno", "fields", "more_images", "image__gradients", "image__width", "image__height")
    seen = list(documents.only(*fields).order_by("docno"))
    return dict(
        zip(
            [document.docno for document in seen], group_alike([sight_of(each) for each in seen]), strict=True
        )
    )


def sight_of(document: Document) -> Sight:
    """Return what makes a document on a wall: its pictures, or else its whole text."""
    if document.image is not None:
        key, image = (document.image_id, *document.more_images), document.image
        return Sight(key) if document.more_images else Sight(key, image.gradients, image.width / image.height)
    text = " ".join(" ".join(text for _, text in visible_fields(document.fields)).split())
    return Sight(text or ("no text", document.docno))
