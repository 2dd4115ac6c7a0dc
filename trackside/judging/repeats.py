"""Find judges that repeat each other, and the order in which a judge reads the parts of a pair."""

from dataclasses import asdict, dataclass, replace

from trackside.judging.prompts import field_names, image_place, without_image
from trackside.judging.settings import Settings, digest


@dataclass(frozen=True, slots=True)
class Order:
    """``image`` is "first", "last" or "between" the words of the prompt, None if the prompt has no image.

    ``fields`` are the text fields in reading order; empty if the item's own order applies.
    """

    image: str | None
    fields: tuple[str, ...]


def order_of(settings: Settings) -> Order:
    """Return the order in which a judge reads the parts of a pair."""
    named = () if image_place(settings.prompt) is None else tuple(field_names(settings.prompt))
    return Order(image_place(settings.prompt), named or settings.text_fields)


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
