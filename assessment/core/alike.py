"""Items that look alike: nearly equal pictures, and equal texts."""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from trackside.auditing.doubles import near_pictures

Name = TypeVar("Name", bound=Hashable)


class Sight(NamedTuple):
    """What makes an item: its picture or all its text, and the hash of the picture's gradients or null."""

    key: Hashable
    gradients: int | None = None  # 64 bits, signed


def group_alike(sights: Sequence[Sight]) -> list[int]:
    """Return for each item the index of the first one of those that look like it."""
    firsts: dict[Hashable, int] = {}
    groups = [firsts.setdefault(sight.key, index) for index, sight in enumerate(sights)]
    hashed = [
        index for index, sight in enumerate(sights) if groups[index] == index and sight.gradients is not None
    ]
    hashes = np.array([sights[index].gradients for index in hashed], dtype=np.int64).view(np.uint64)
    for first, second in sorted(near_pictures(hashes), key=lambda pair: pair[1]) if hashed else ():
        groups[hashed[second]] = groups[hashed[first]]
    return [groups[group] for group in groups]


def side_by_side(names: Sequence[Name], groups: Mapping[Name, int]) -> list[Name]:
    """Return the names in order, those of a group right after its first one; some may be of no group."""
    places: dict[Hashable, int] = {}
    for place, name in enumerate(names):
        places.setdefault(groups.get(name, name), place)
    return sorted(names, key=lambda name: places[groups.get(name, name)])
