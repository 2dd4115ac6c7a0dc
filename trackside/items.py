"""Checks of new documents and topics before any is stored."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trackside.errors import InputError

SHOWN = 3


@dataclass(frozen=True)
class NewItem:
    """A new item: docno or topic number, ``(name, text)`` fields in reading order, and an image file."""

    name: str
    fields: Sequence[tuple[str, str]] = ()
    image: bytes | None = None


def check_items(items: Sequence[NewItem], taken: Collection[str]) -> None:
    """Raise item-name-not-one-word, item-empty or item-name-taken, naming the first items at fault.

    ``taken`` are the existing names.
    """
    if bad := [item.name for item in items if item.name.split() != [item.name]]:
        raise InputError(
            f"{_shown(bad)}: a name is one word, without blanks. Rename and try again.",
            code="item-name-not-one-word",
        )
    if bad := [item.name for item in items if not item.fields and item.image is None]:
        raise InputError(
            f"{_shown(bad)}: neither text nor image. Give one, or leave the item out.", code="item-empty"
        )
    counts = Counter(item.name for item in items)
    if bad := [name for name, count in counts.items() if count > 1]:
        raise InputError(f"{_shown(bad)}: named twice. Keep one of each.", code="item-name-taken")
    if bad := [name for name in counts if name in taken]:
        raise InputError(
            f"{_shown(bad)}: stored already. Leave out items that were added before.", code="item-name-taken"
        )


def _shown(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(f"'{name}'" for name in names[:SHOWN]) + more
