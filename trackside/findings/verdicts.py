"""Verdicts as codes, and the margins by which words are chosen."""

from dataclasses import dataclass
from enum import StrEnum

from trackside.text.shown import Shown


class OrderVerdict(StrEnum):
    """Does the judge order these runs as people do? By the ends of tau's interval over topics."""

    ALMOST = "almost_as_people"
    DIFFERENCES = "as_people_with_differences"
    NO_RELATION = "no_relation_shown"
    REVERSE = "in_reverse"
    UNDEFINED = "undefined"


class FamilyVerdict(StrEnum):
    """Does the judge rate the family above people's grades, beyond its leniency? By the excess's interval."""

    ABOVE = "above"
    ABOVE_WITHIN = "above_within_margin"
    BELOW = "below"
    BELOW_WITHIN = "below_within_margin"
    WITHIN = "within_margin"
    NOT_PRECISE = "not_precise_enough"
    UNDEFINED = "undefined"

    @property
    def is_above(self) -> bool:
        """Whether the whole interval is above 0."""
        return self in (FamilyVerdict.ABOVE, FamilyVerdict.ABOVE_WITHIN)

    @property
    def is_below(self) -> bool:
        """Whether the whole interval is below 0."""
        return self in (FamilyVerdict.BELOW, FamilyVerdict.BELOW_WITHIN)


class GeneralVerdict(StrEnum):
    """Do such families gain in general, with other teams?"""

    SHOWN = "shown"
    NOT_SHOWN = "not_shown"
    NOT_SAID = "not_said"


@dataclass(frozen=True, slots=True, repr=False)
class Margins(Shown):
    """Thresholds of the words: settable, and printed with the report.

    ``order`` is the least tau of an order as people's, ``best`` how far the judge's first run may be below
    the best (in the measure; a tenth of people's best mean for other measures than nDCG, P and RR),
    ``points`` an excess of Relative Delta that is called small, ``rate`` the least share of a gain that
    people see. ``tau``, ``second_rate`` and ``kappa`` are how far a judge may be below a second assessor.
    """

    order: float = 0.8
    kappa: float = 0.05
    tau: float = 0.1
    points: float = 5.0
    best: float = 0.05
    rate: float = 0.5
    second_rate: float = 0.1


class ThirdVerdict(StrEnum):
    """Do people's errors, by a third person's grades, explain a family's excess?"""

    TOO_LITTLE = "too_little"
    ENOUGH = "enough"
    OPEN = "open"
