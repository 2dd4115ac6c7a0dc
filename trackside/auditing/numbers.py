"""Numbers of a collection: pictures of its records, and the words of their fields."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FieldNumbers:
    """How many records have words in a field, and how many words and characters: of those records."""

    name: str
    count: int
    mean: float
    median: int
    high: int  # 95 of 100 have at most so many
    most: int
    characters: int  # median


@dataclass(frozen=True)
class RecordNumbers:
    """Numbers of records; ``lengths`` are the words of all fields of each, ``pictures`` counts by number."""

    count: int
    pictures: Mapping[int, int]
    fields: tuple[FieldNumbers, ...]
    lengths: tuple[int, ...]

    @property
    def pictured_count(self) -> int:
        """The number of records with a picture."""
        return self.count - self.pictures.get(0, 0)

    @property
    def picture_count(self) -> int:
        """The number of pictures of all records."""
        return sum(number * count for number, count in self.pictures.items())


def describe(records: Iterable[tuple[Iterable[Sequence[str]], int]]) -> RecordNumbers:
    """Describe records, each the (name, text) pairs of its fields and its number of pictures.

    A word is what white space separates. Fields are in the order in which they first have words; a median is
    the lower of two middle values, and ``high`` the smallest number that 95 of 100 records do not exceed.
    """
    words: dict[str, list[int]] = defaultdict(list)
    characters: dict[str, list[int]] = defaultdict(list)
    pictures: Counter[int] = Counter()
    lengths = []
    for fields, picture_count in records:
        pictures[picture_count] += 1
        counts: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        for name, text in fields:
            counts[name] += len(text.split())
            sizes[name] += len(text.strip())
        lengths.append(counts.total())
        for name, count in counts.items():
            if count:
                words[name].append(count)
                characters[name].append(sizes[name])
    numbers = (_field(name, words[name], characters[name]) for name in words)
    return RecordNumbers(len(lengths), dict(sorted(pictures.items())), tuple(numbers), tuple(lengths))


def _field(name: str, words: list[int], characters: list[int]) -> FieldNumbers:
    median, high = (int(np.quantile(words, share, method="inverted_cdf")) for share in (0.5, 0.95))
    middle = int(np.quantile(characters, 0.5, method="inverted_cdf"))
    return FieldNumbers(name, len(words), float(np.mean(words)), median, high, max(words), middle)


def in_bars(values: Iterable[int], least: Sequence[int]) -> list[tuple[str, int]]:
    """Count values in bars that begin with the ascending numbers ``least``, from the first filled one on."""
    places = np.searchsorted(np.array(least), np.fromiter(values, dtype=np.int64), side="right") - 1
    counts = np.bincount(places, minlength=1)
    ends = [*(high - 1 for high in least[1:]), None]
    names = [
        f"{low:,} or more" if end is None else f"{low:,}" if low == end else f"{low:,} to {end:,}"
        for low, end in zip(least, ends, strict=True)
    ]
    first = int(np.argmax(counts > 0))
    return [(name, int(count)) for name, count in zip(names, counts, strict=False)][first:]
