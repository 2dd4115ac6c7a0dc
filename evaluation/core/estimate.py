"""One way to say a number, or that there is none and why."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """Why a value is undefined: the code that files carry; `words` is what pages show."""

    EMPTY = "empty"
    TOO_FEW = "too_few"
    CONSTANT = "constant"
    ONE_GRADE = "one_grade"
    NO_OVERLAP = "no_overlap"
    NO_RELEVANT = "no_relevant"
    ONE_CLASS = "one_class"
    EMPTY_FAMILY = "empty_family"
    ALL_ZERO = "all_zero"
    EMPTY_STRATUM = "empty_stratum"
    UNEQUAL_COUNTS = "unequal_counts"
    TIES = "ties"
    NO_SPREAD = "no_spread"
    NO_REPLICATES = "no_replicates"
    NO_INTERVAL = "no_interval"
    TOPIC_NOT_JUDGED = "topic_not_judged"
    NOTHING_RETRIEVED = "nothing_retrieved"
    NO_RELEVANT_RETRIEVED = "no_relevant_retrieved"
    NO_GAIN = "no_gain"
    NO_TOPICS = "no_topics"

    @property
    def words(self) -> str:
        """The reason as a page shows it, in lower case and without a full stop."""
        return _WORDS[self]


_WORDS = {
    Reason.EMPTY: "nothing to compare",
    Reason.TOO_FEW: "too few values",
    Reason.CONSTANT: "all values are equal",
    Reason.ONE_GRADE: "only one grade was given",
    Reason.NO_OVERLAP: "no item has two grades",
    Reason.NO_RELEVANT: "nothing was graded relevant",
    Reason.ONE_CLASS: "only one class is present",
    Reason.EMPTY_FAMILY: "one of the two groups has no run",
    Reason.ALL_ZERO: "all values are zero",
    Reason.EMPTY_STRATUM: "a stratum has no topic",
    Reason.UNEQUAL_COUNTS: "items have unequal numbers of grades; use Krippendorff's alpha",
    Reason.TIES: "ties leave no exact distribution",
    Reason.NO_SPREAD: "all differences are equal",
    Reason.NO_REPLICATES: "undefined in most bootstrap samples",
    Reason.NO_INTERVAL: "this test has no interval",
    Reason.TOPIC_NOT_JUDGED: "the topic is not judged",
    Reason.NOTHING_RETRIEVED: "no result is left for the topic",
    Reason.NO_RELEVANT_RETRIEVED: "no relevant document was retrieved",
    Reason.NO_GAIN: "documents are relevant but none has a gain",
    Reason.NO_TOPICS: "no topic has a value",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, or None with the reason; never NaN."""

    value: float | None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("an estimate has either a value or a reason")
        if self.value is not None and self.value != self.value:
            raise ValueError("an undefined estimate needs a reason, not NaN")

    @classmethod
    def of(cls, value: float) -> Self:
        """A defined estimate; numpy scalars become plain floats."""
        return cls(float(value))

    @classmethod
    def undefined(cls, reason: Reason) -> Self:
        """An estimate that has no value."""
        return cls(None, reason)

    def minus(self, other: "Estimate") -> "Estimate":
        """This value less the other; undefined with the first reason when either is."""
        if self.value is None:
            return self
        if other.value is None:
            return other
        return Estimate.of(self.value - other.value)

    def text(self, decimals: int = 4) -> str:
        """The rounded value, or "undefined (reason)"."""
        if self.reason is not None:
            return f"undefined ({self.reason.words})"
        return f"{self.value:.{decimals}f}"


@dataclass(frozen=True, slots=True)
class Interval:
    """Two ends of an interval at a level such as 0.95; both None, with a reason, when there is none."""

    low: float | None
    high: float | None
    level: float
    reason: Reason | None = None

    @classmethod
    def undefined(cls, reason: Reason, level: float) -> Self:
        """An interval that has no ends."""
        return cls(None, None, level, reason)
