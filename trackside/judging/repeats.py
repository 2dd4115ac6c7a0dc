"""Find judges that repeat each other, and the order in which a judge reads the parts of a pair."""

from dataclasses import asdict, replace

from trackside.findings.provenance import ReadingOrder
from trackside.judging.prompts import field_names, image_place, without_image
from trackside.judging.settings import Settings, digest


def order_of(settings: Settings) -> ReadingOrder:
    """Return the order in which a judge reads the parts of a pair.

    ``image`` is None if the prompt has none; ``fields`` is empty if the item's own order applies.
    """
    image = image_place(settings.prompt)
    names = () if image is None else tuple(field_names(settings.prompt))
    return ReadingOrder(image=image, fields=names or settings.text_fields)


def repeat_sha256(settings: Settings) -> str:
    """Return a judge's identity without order and seed: equal for judges that differ in nothing else.

    Two judges with equal hashes, equal order and different seeds are test and retest. With equal hashes and
    different orders they show the effect of the order.
    """
    alike = replace(
        settings,
        prompt=without_image(settings.prompt),
        text_fields=tuple(sorted(settings.text_fields)),
        seed=0,
    )
    return digest(asdict(alike))
