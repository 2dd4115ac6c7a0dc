"""Items that look alike: nearly equal pictures, and equal texts."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from trackside.auditing.doubles import near_pictures

Name = TypeVar("Name", bound=Hashable)

CROPPED = 1.1  # ratio of shapes up to which two pictures may be one
MOST_LEVELS = 10  # of 256, by which a part of a near-duplicate has another red, green or blue


class Look(NamedTuple):
    """What near-duplicates share: hash of gradients (64 bits, signed), colours of 8 x 8 parts, and shape."""

    gradients: int
    colours: bytes
    shape: float  # width by height


class Sight(NamedTuple):
    """An item's picture or all its text, and the look of a picture that can be compared with others."""

    key: Hashable
    look: Look | None = None


def group_alike(sights: Sequence[Sight]) -> list[int]:
    """Return for each item the index of the first one of those that look like it."""
    firsts: dict[Hashable, int] = {}
    groups = [firsts.setdefault(sight.key, index) for index, sight in enumerate(sights)]
    looks = {index: sight.look for index, sight in enumerate(sights) if sight.look and groups[index] == index}
    rows = list(looks)
    hashes = np.array([look.gradients for look in looks.values()], dtype=np.int64).view(np.uint64)
    pairs = near_pictures(hashes, lambda *pair: _is_like(*(looks[rows[row]] for row in pair))) if rows else ()
    for first, second in sorted(pairs, key=lambda pair: pair[1]):
        groups[rows[second]] = groups[rows[first]]
    return [groups[group] for group in groups]


def _is_like(one: Look, other: Look) -> bool:
    narrow, wide = sorted((one.shape, other.shape))
    levels = [np.frombuffer(look.colours, np.uint8).astype(np.int16) for look in (one, other)]
    return wide <= CROPPED * narrow and int(np.abs(levels[0] - levels[1]).max()) <= MOST_LEVELS


def side_by_side(names: Sequence[Name], groups: Mapping[Name, int]) -> list[Name]:
    """Return the names in order, those of a group right after its first one; some may be of no group."""
    places: dict[Hashable, int] = {}
    for place, name in enumerate(names):
        places.setdefault(groups.get(name, name), place)
    return sorted(names, key=lambda name: places[groups.get(name, name)])
