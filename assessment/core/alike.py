"""Items that look alike: nearly equal pictures, and equal texts."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from trackside.auditing.doubles import near_pictures

Name = TypeVar("Name", bound=Hashable)

CROPPED = 1.1  # ratio of shapes up to which two pictures may be one


class Sight(NamedTuple):
    """An item's picture or all its text; of a picture the hash of gradients, or null, and the shape."""

    key: Hashable
    gradients: int | None = None  # 64 bits, signed
    shape: float = 1.0  # width by height


def group_alike(sights: Sequence[Sight]) -> list[int]:
    """Return for each item the index of the first one of those that look like it."""
    firsts: dict[Hashable, int] = {}
    groups = [firsts.setdefault(sight.key, index) for index, sight in enumerate(sights)]
    hashed = [
        index for index, sight in enumerate(sights) if groups[index] == index and sight.gradients is not None
    ]
    for rows in _of_about_one_shape(sights, hashed):
        hashes = np.array([sights[index].gradients for index in rows], dtype=np.int64).view(np.uint64)
        for first, second in sorted(near_pictures(hashes), key=lambda pair: pair[1]):
            groups[rows[second]] = groups[rows[first]]
    return [groups[group] for group in groups]


def _of_about_one_shape(sights: Sequence[Sight], indices: list[int]) -> Iterator[list[int]]:
    """Yield the indices of pictures whose neighbours by shape differ by at most CROPPED, in order."""
    by_shape = sorted(indices, key=lambda index: sights[index].shape)
    shapes = np.array([sights[index].shape for index in by_shape])
    edges = [0, *(np.flatnonzero(shapes[1:] > CROPPED * shapes[:-1]) + 1), len(by_shape)]
    yield from (sorted(by_shape[start:end]) for start, end in pairwise(edges) if start < end)


def side_by_side(names: Sequence[Name], groups: Mapping[Name, int]) -> list[Name]:
    """Return the names in order, those of a group right after its first one; some may be of no group."""
    places: dict[Hashable, int] = {}
    for place, name in enumerate(names):
        places.setdefault(groups.get(name, name), place)
    return sorted(names, key=lambda name: places[groups.get(name, name)])
