"""The selection of runs and topics that a report covers, if it does not cover all."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Choice:
    """Selected tags and topics in byte order; an empty tuple selects all."""

    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @classmethod
    def among(
        cls, tags: Iterable[str], topics: Iterable[str], *, all_tags: Iterable[str], all_topics: Iterable[str]
    ) -> Self:
        """Select the wanted tags and topics that exist; selecting all gives an empty tuple."""
        return cls(_some(tags, all_tags), _some(topics, all_topics))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Restore a choice from the output of ``to_json``."""
        return cls(tuple(stored.get("tags", ())), tuple(stored.get("topics", ())))

    @property
    def is_all(self) -> bool:
        """Whether all runs and topics are selected."""
        return not (self.tags or self.topics)

    def to_json(self) -> dict[str, Any]:
        """Non-empty selections as lists by name; an empty dict selects all."""
        return {name: list(names) for name, names in asdict(self).items() if names}

    @property
    def sha256(self) -> str:
        """SHA-256 of the JSON; equal choices have equal hashes."""
        return hashlib.sha256(json.dumps(self.to_json()).encode()).hexdigest()

    def words(self, *, run_count: int, topic_count: int) -> str:
        """Describe the selection, such as "8 of 16 runs, 25 of 74 topics"; empty for all."""
        parts = [(self.tags, run_count, "runs"), (self.topics, topic_count, "topics")]
        return ", ".join(f"{len(names):,} of {total:,} {name}" for names, total, name in parts if names)


def _some(names: Iterable[str], everything: Iterable[str]) -> tuple[str, ...]:
    existing = set(everything)
    selected = existing & set(names)
    return () if selected == existing else tuple(sorted(selected, key=str.encode))
