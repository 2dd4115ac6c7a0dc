"""The runs and topics that a report is of, when it is not of all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Choice:
    """Tags and topics in byte order; without any of a kind all of them are meant."""

    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @classmethod
    def among(
        cls, tags: Iterable[str], topics: Iterable[str], *, all_tags: Iterable[str], all_topics: Iterable[str]
    ) -> Self:
        """What there is of the wanted tags and topics; all of them is as good as none."""
        return cls(_some(tags, all_tags), _some(topics, all_topics))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The choice that ``to_json`` made."""
        return cls(tuple(stored.get("tags", ())), tuple(stored.get("topics", ())))

    @property
    def is_all(self) -> bool:
        """Whether all runs and topics are meant."""
        return not (self.tags or self.topics)

    def to_json(self) -> dict[str, Any]:
        """Plain lists; empty for all."""
        return {name: list(chosen) for name, chosen in asdict(self).items() if chosen}

    @property
    def sha256(self) -> str:
        """Of its JSON: equal choices have equal ones."""
        return hashlib.sha256(json.dumps(self.to_json()).encode()).hexdigest()

    def words(self, *, run_count: int, topic_count: int) -> str:
        """Which of so many these are, such as "8 of 16 runs, 25 of 74 topics"; empty for all."""
        parts = [(self.tags, run_count, "runs"), (self.topics, topic_count, "topics")]
        return ", ".join(f"{len(chosen):,} of {total:,} {name}" for chosen, total, name in parts if chosen)


def _some(wanted: Iterable[str], everything: Iterable[str]) -> tuple[str, ...]:
    there = set(everything)
    found = there & set(wanted)
    return () if found == there else tuple(sorted(found, key=str.encode))
