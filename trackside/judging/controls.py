"""Controls of a job: pairs asked again with a picture of another topic, and whether their grades fall.

A judge that looks gives most of these a lower grade. The test is sequential: it may be read after each
answer, and its bound on false alarms holds for the whole job.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from trackside.judging.forms import AnswerForm

FEWEST = 20  # controls with a grade; fewer say nothing
# Shares of grades that fall: at least this of a judge that looks; of one that does not.
LOOKING, BLIND = 0.5, 0.1
ALARM = 100  # times as likely for the other judge: a false alarm in at most 1 of 100 jobs
ROUNDING = 1e-9
STEPS = 10  # a fall is a grade lower, on a scale of more grades a tenth of the scale


def control_count(pair_count: int) -> int:
    """Return how many controls a job has: 1 % of its pairs, at least FEWEST and at most a tenth, else 0."""
    count = min(max(FEWEST, -(-pair_count // 100)), pair_count // 10)
    return count if count >= FEWEST else 0


def falls(form: AnswerForm, before: float, after: float) -> bool:
    """Return whether a grade fell, by more than a judge that answers differently each time may vary."""
    return (before - after) * STEPS > form.highest - form.lowest - ROUNDING


class Looks(StrEnum):
    """What the controls of a job show."""

    NOT_TESTED = "not_tested"
    STAYS = "stays"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Looked:
    """How many controls have a grade, and how many of these stayed as high as before the exchange."""

    count: int
    stay_count: int

    @property
    def looks(self) -> Looks:
        """STAYS if the counts are ALARM times as likely of a judge that does not look as of one that does.

        Wald's sequential test: of a judge of whose grades at least LOOKING fall, the ratio of likelihoods
        ever reaches ALARM with a probability of at most 1 / ALARM (Ville's inequality). Nothing shows that a
        judge looks: grades that are high by chance fall when it answers again.
        """
        if self.count < FEWEST:
            return Looks.NOT_TESTED
        likelier, unlikelier = math.log((1 - BLIND) / (1 - LOOKING)), math.log(BLIND / LOOKING)
        ratio = self.stay_count * likelier + self.fall_count * unlikelier
        return Looks.STAYS if ratio >= math.log(ALARM) else Looks.OPEN

    @property
    def fall_count(self) -> int:
        """How many of these grades fell."""
        return self.count - self.stay_count

    @property
    def sentence(self) -> str:
        """The result in words."""
        match self.looks:
            case Looks.STAYS:
                return f"its grades stay when the picture is exchanged: {self.stay_count} of {self.count}"
            case Looks.OPEN:
                return (
                    f"when the picture is exchanged, {self.fall_count} of {self.count} grades fall: too many "
                    "to say that it does not look, but random answers fall, too"
                )
        return f"not tested: {self.count} controls have a grade, and {FEWEST} are needed"


def looked(form: AnswerForm, grades: Iterable[tuple[float, float]]) -> Looked:
    """Count the controls with a grade before and after the exchange."""
    stays = [not falls(form, before, after) for before, after in grades]
    return Looked(len(stays), sum(stays))
