"""Estimates and intervals: a value, or the reason why it is undefined."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """Why a value is undefined: the code for files, and its words for pages."""

    words: str

    def __new__(cls, code: str, words: str = "") -> Self:
        """A reason that equals its code."""
        reason = str.__new__(cls, code)
        reason._value_, reason.words = code, words
        return reason

    EMPTY = "empty", "nothing to compare"
    TOO_FEW = "too_few", "too few values"
    CONSTANT = "constant", "all values are equal"
    ONE_GRADE = "one_grade", "only one grade was given"
    NO_OVERLAP = "no_overlap", "no item has two grades"
    NO_RELEVANT = "no_relevant", "nothing was graded relevant"
    EMPTY_STRATUM = "empty_stratum", "a stratum has no topic"
    UNEQUAL_COUNTS = "unequal_counts", "items have unequal numbers of grades; use Krippendorff's alpha"
    TIES = "ties", "ties leave no exact distribution"
    NO_SPREAD = "no_spread", "all differences are equal"
    NO_REPLICATES = "no_replicates", "undefined in most bootstrap samples"
    NO_INTERVAL = "no_interval", "this test has no interval"
    TOPIC_NOT_JUDGED = "topic_not_judged", "the topic is not judged"
    NOTHING_RETRIEVED = "nothing_retrieved", "no result is left for the topic"
    NO_RELEVANT_RETRIEVED = "no_relevant_retrieved", "no relevant document was retrieved"
    NO_GAIN = "no_gain", "documents are relevant but none has a gain"
    NO_TOPICS = "no_topics", "no topic has a value"
    TOO_FEW_TOPICS = "too_few_topics", "fewer than ten topics"
    TOO_FEW_TOPICS_FOR_SHARE = "too_few_topics_for_share", "fewer than 50 topics with such grades"
    TOO_FEW_TOPICS_FOR_RECALL = (
        "too_few_topics_for_recall",
        "fewer than 150 topics, and one topic may have most of such items",
    )
    TOO_FEW_TOPICS_OF_BOUNDS = (
        "too_few_topics_of_bounds",
        "fewer than 25 topics, all with the least or the largest value",
    )
    TOO_FEW_PAIRS = "too_few_pairs", "fewer than 30 pairs of grades"
    TOO_FEW_TEAMS = "too_few_teams", "fewer than eight teams"
    TOO_FEW_DIFFERING = "too_few_differing", "fewer than three topics differ from the others"
    NO_VARIATION = "no_variation", "there is no variation"
    HANGS_ON_ONE_TOPIC = "hangs_on_one_topic", "undefined without one of the topics"
    HANGS_ON_ONE_TEAM = "hangs_on_one_team", "undefined without one of the teams"
    NOT_COVERED = "not_covered", "no tested interval contains the true value as often as it should"
    NO_SHARED_TOPIC = "no_shared_topic", "no topic was graded by both"
    TOO_FEW_GRADED_TOPICS = (
        "too_few_graded_topics",
        "fewer than 20 graded topics",
    )
    TOO_FEW_GRADED_DIFFERING = (
        "too_few_graded_differing",
        "fewer than six of the graded topics differ from the others",
    )
    ONE_RUN = "one_run", "there is one run"
    ALL_RUNS_EQUAL = "all_runs_equal", "all runs have the same mean"
    SAME_IN_EVERY_RESAMPLE = "same_in_every_resample", "every resample of the topics gives the same value"
    NO_SECOND_ASSESSOR = "no_second_assessor", "there is no second assessor"
    NO_SHARED_PAIR = "no_shared_pair", "no pair was graded by all"
    CONSTANT_GRADES = "constant_grades", "all grades are equal"
    SECOND_ASSESSOR_GRADED_A_PART = (
        "second_assessor_graded_a_part",
        "the second assessor graded a part of the pairs",
    )
    LITTLE_TO_COMPARE = (
        "little_to_compare",
        "few results of the family can be compared with others of the same grade",
    )
    SAME_WITHOUT_EACH_TOPIC = "same_without_each_topic", "it is the same without each topic"
    NO_RUN_ON_ONE_SIDE = "no_run_on_one_side", "all runs are on one side"
    ALL_MEANS_ZERO = "all_means_zero", "all means are zero"
    WEAK_FIRST_STAGE = "weak_first_stage", "the second assessor's grades say too little of people's"
    FLAT_JUDGE = "flat_judge", "the judge's grades hardly rise with people's"
    NOT_ABOVE_ZERO = "not_above_zero", "an interval is not above zero"
    ONE_TEAM_ON_A_SIDE = "one_team_on_a_side", "one side has a single team"
    TOO_FEW_DEGREES_OF_FREEDOM = "too_few_degrees_of_freedom", "there are too few teams"
    TEAMS_NOT_DECLARED = "teams_not_declared", "teams are not declared"
    TWO_RUNS = "two_runs", "there are two runs"
    TOO_FEW_RUNS = "too_few_runs", "fewer than five runs"
    NO_COMPLETE_RUN = "no_complete_run", "no run has a value on every topic"
    NO_RELATION = "no_relation", "the runs come in an order like that with its grades shuffled"
    NO_FAMILY = "no_family", "no declared family has runs on both sides"
    NO_ASSAY = "no_assay", "people do not agree well enough with each other"
    NO_GAIN_SEEN = "no_gain_seen", "its grades change no run's value"
    HARDLY_GRADED = "hardly_graded", "people hardly graded some runs"
    GAPS = "gaps", "it left pairs without a grade"


class IntervalMethod(StrEnum):
    """How an interval was computed."""

    STUDENT = "t"
    HALL = "hall"
    TWO_PART = "two-part"
    JACKKNIFE = "jackknife-t"
    RESAMPLING = "resampling-t"
    REGRESSION = "regression-t"


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

    def text(self, decimals: int = 4) -> str:
        """The rounded value, or "undefined (reason)"."""
        if self.reason is not None:
            return f"undefined ({self.reason.words})"
        return f"{self.value:.{decimals}f}"


@dataclass(frozen=True, slots=True)
class Interval:
    """Two ends at a level; both None, with a reason, if undefined."""

    low: float | None
    high: float | None
    level: float
    reason: Reason | None = None
    method: IntervalMethod | None = None

    @classmethod
    def undefined(cls, reason: Reason, level: float) -> Self:
        """An interval that has no ends."""
        return cls(None, None, level, reason)


@dataclass(frozen=True, slots=True)
class Number:
    """A value with its interval, if any, or None with the reason; an interval may lack ends."""

    value: float | None
    reason: Reason | None = None
    interval: Interval | None = None

    @classmethod
    def of(cls, estimate: Estimate, interval: Interval | None = None) -> Self:
        """Build from an estimate and its interval; an undefined estimate has no interval."""
        return cls(estimate.value, estimate.reason, None if estimate.value is None else interval)

    @property
    def low(self) -> float | None:
        """Lower end of the interval."""
        return self.interval.low if self.interval else None

    @property
    def high(self) -> float | None:
        """Upper end of the interval."""
        return self.interval.high if self.interval else None

    @property
    def missing(self) -> Reason | None:
        """Why the interval has no ends; None if it has ends or if the number has no interval."""
        return self.interval.reason if self.interval else None
