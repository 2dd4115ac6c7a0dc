"""What a share in a simulation's table must be."""

import re
from dataclasses import dataclass
from typing import Any

from tests.simulations.families import JUDGES

SLACK = 2  # standard errors by which a share may be outside its bounds
StoredRow = dict[str, Any]


@dataclass(frozen=True)
class Bound:
    """What a share must be: the sum of ``figures`` in the rows whose part, statistic and setting match.

    ``excuse`` says why rows may miss it: without one, none does.
    """

    sentence: str
    part: str
    figures: tuple[str, ...]
    least: float
    most: float
    statistic: str = ""
    setting: str = ""
    fewest_topics: int = 0
    excuse: str = ""

    def value(self, row: StoredRow) -> float:
        """The share of a row."""
        return float(sum(row["figures"][figure] for figure in self.figures))

    def concerns(self, part: str, row: StoredRow) -> bool:
        """Whether the bound is on this row."""
        is_there = all(row["figures"].get(figure) is not None for figure in self.figures)
        texts = (self.part, part), (self.statistic, row["statistic"]), (self.setting, row["setting"])
        topics = int(row.get("topics", self.fewest_topics))
        return is_there and topics >= self.fewest_topics and all(re.search(*each) for each in texts)

    def is_missed(self, row: StoredRow) -> bool:
        """Whether the share is outside by more than its error allows."""
        share = self.value(row)
        nearest = min(max(share, self.least), self.most)
        count = int(row["tracks"]) * (JUDGES if self.is_of_judges else 1)
        error = row["figures"].get(f"± {self.figures[0]}")
        if error is None:
            error = max(float((nearest * (1 - nearest) / count) ** 0.5), 1 / count)
        return bool(abs(share - nearest) > SLACK * error)

    @property
    def is_of_judges(self) -> bool:
        """Whether each of a report's seven judges counts."""
        return "families" in self.part and self.figures[0] in ("p at most .05", "said of a judge")
