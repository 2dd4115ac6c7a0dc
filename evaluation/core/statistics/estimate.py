"""Estimates and intervals: a value, or the reason why it is undefined."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """Why a value is undefined: the code for files; `words` is the text for pages."""

    EMPTY = "empty"
    TOO_FEW = "too_few"
    CONSTANT = "constant"
    ONE_GRADE = "one_grade"
    NO_OVERLAP = "no_overlap"
    NO_RELEVANT = "no_relevant"
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
    TOO_FEW_TOPICS = "too_few_topics"
    TOO_FEW_TOPICS_FOR_SHARE = "too_few_topics_for_share"
    TOO_FEW_TOPICS_FOR_RECALL = "too_few_topics_for_recall"
    TOO_FEW_TOPICS_OF_BOUNDS = "too_few_topics_of_bounds"
    TOO_FEW_TEAMS = "too_few_teams"
    TOO_FEW_DIFFERING = "too_few_differing"
    NO_VARIATION = "no_variation"
    HANGS_ON_ONE_TOPIC = "hangs_on_one_topic"
    HANGS_ON_ONE_TEAM = "hangs_on_one_team"
    NOT_COVERED = "not_covered"
    NO_SHARED_TOPIC = "no_shared_topic"
    TOO_FEW_GRADED_TOPICS = "too_few_graded_topics"
    TOO_FEW_GRADED_DIFFERING = "too_few_graded_differing"
    TOO_FEW_INFORMATIVE = "too_few_informative"
    ONE_RUN = "one_run"
    ALL_RUNS_EQUAL = "all_runs_equal"
    SAME_IN_EVERY_RESAMPLE = "same_in_every_resample"
    NO_SECOND_ASSESSOR = "no_second_assessor"
    NO_SHARED_PAIR = "no_shared_pair"
    CONSTANT_GRADES = "constant_grades"
    SECOND_ASSESSOR_GRADED_A_PART = "second_assessor_graded_a_part"
    LITTLE_TO_COMPARE = "little_to_compare"
    SAME_WITHOUT_EACH_TOPIC = "same_without_each_topic"
    NO_RUN_ON_ONE_SIDE = "no_run_on_one_side"
    ALL_MEANS_ZERO = "all_means_zero"
    WEAK_FIRST_STAGE = "weak_first_stage"
    ONE_TEAM_ON_A_SIDE = "one_team_on_a_side"
    TOO_FEW_DEGREES_OF_FREEDOM = "too_few_degrees_of_freedom"

    @property
    def words(self) -> str:
        """Text of the reason for pages, in lower case and without a full stop."""
        return _WORDS[self]


_WORDS = {
    Reason.EMPTY: "nothing to compare",
    Reason.TOO_FEW: "too few values",
    Reason.CONSTANT: "all values are equal",
    Reason.ONE_GRADE: "only one grade was given",
    Reason.NO_OVERLAP: "no item has two grades",
    Reason.NO_RELEVANT: "nothing was graded relevant",
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
    Reason.TOO_FEW_TOPICS: "fewer than ten topics",
    Reason.TOO_FEW_TOPICS_FOR_SHARE: "fewer than 50 topics with such grades",
    Reason.TOO_FEW_TOPICS_FOR_RECALL: "fewer than 150 topics, and one topic may have most of such items",
    Reason.TOO_FEW_TOPICS_OF_BOUNDS: "fewer than 25 topics, all with the least or the largest value",
    Reason.TOO_FEW_TEAMS: "fewer than five teams",
    Reason.TOO_FEW_DIFFERING: "fewer than three topics differ from the others",
    Reason.NO_VARIATION: "every resample of the topics gives the same value",
    Reason.HANGS_ON_ONE_TOPIC: "undefined without one of the topics",
    Reason.HANGS_ON_ONE_TEAM: "undefined without one of the teams",
    Reason.NOT_COVERED: "no tested interval contains the true value as often as it should",
    Reason.NO_SHARED_TOPIC: "no topic was graded by both",
    Reason.TOO_FEW_GRADED_TOPICS: "fewer than 20 graded topics",
    Reason.TOO_FEW_GRADED_DIFFERING: "fewer than six of the graded topics differ from the others",
    Reason.TOO_FEW_INFORMATIVE: "fewer than ten of the graded items count here",
    Reason.ONE_RUN: "there is one run",
    Reason.ALL_RUNS_EQUAL: "all runs have the same mean",
    Reason.SAME_IN_EVERY_RESAMPLE: "every resample of the topics gives the same value",
    Reason.NO_SECOND_ASSESSOR: "there is no second assessor",
    Reason.NO_SHARED_PAIR: "no pair was graded by all",
    Reason.CONSTANT_GRADES: "all grades are equal",
    Reason.SECOND_ASSESSOR_GRADED_A_PART: "the second assessor graded a part of the pairs",
    Reason.LITTLE_TO_COMPARE: "few results of the family can be compared with others of the same grade",
    Reason.SAME_WITHOUT_EACH_TOPIC: "it is the same without each topic",
    Reason.NO_RUN_ON_ONE_SIDE: "all runs are on one side",
    Reason.ALL_MEANS_ZERO: "all means are zero",
    Reason.WEAK_FIRST_STAGE: "the second assessor's grades say too little of people's",
    Reason.ONE_TEAM_ON_A_SIDE: "one side has a single team",
    Reason.TOO_FEW_DEGREES_OF_FREEDOM: "there are too few teams",
}


class IntervalMethod(StrEnum):
    """How an interval was computed."""

    STUDENT = "t"
    HALL = "hall"
    TWO_PART = "two-part"
    JACKKNIFE = "jackknife-t"
    RESAMPLING = "resampling-t"
    REGRESSION = "regression-t"
    POST_STRATIFIED = "post-stratified"


class Estimand(StrEnum):
    """The quantity that an interval covers: a value on new topics or teams, or by people's grades of all."""

    NEW_TOPICS = "new_topics"
    AS_MANY_OTHER_TOPICS = "as_many_other_topics"
    NEW_TEAMS = "new_teams"
    ALL_GRADES = "all_grades"


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
    """Two ends of an interval at a level such as 0.95; both None, with a reason, if it is undefined.

    `method` is how it was computed, `estimand` what it covers.
    """

    low: float | None
    high: float | None
    level: float
    reason: Reason | None = None
    method: IntervalMethod | None = None
    estimand: Estimand | None = None

    @classmethod
    def undefined(cls, reason: Reason, level: float) -> Self:
        """An interval that has no ends."""
        return cls(None, None, level, reason)
