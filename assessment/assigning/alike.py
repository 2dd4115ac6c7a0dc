"""Documents that look alike on a wall."""

from collections.abc import Collection

from assessment.core.alike import Look, Sight, group_alike
from evaluation.collections.models import Document
from trackside.text.items_shown import show_item


def find_alike(collection: int, docnos: Collection[str]) -> dict[str, int]:
    """Return the group of each docno: those of a group look alike."""
    documents = Document.objects.filter(collection=collection, docno__in=docnos).select_related("image")
    of_image = [f"image__{name}" for name in ("gradients", "colours", "width", "height")]
    seen = list(documents.only("docno", "fields", "more_images", *of_image).order_by("docno"))
    return dict(
        zip(
            [document.docno for document in seen], group_alike([sight_of(each) for each in seen]), strict=True
        )
    )


def sight_of(document: Document) -> Sight:
    """Return what makes a document on a wall: its pictures, or else its whole text."""
    if document.image is not None:
        key, image = (document.image_id, *document.more_images), document.image
        if document.more_images or image.gradients is None or image.colours is None:
            return Sight(key)
        return Sight(key, Look(image.gradients, bytes(image.colours), image.width / image.height))
    text = " ".join(" ".join(text for _, text in show_item(document.fields).texts).split())
    return Sight(text or ("no text", document.docno))
