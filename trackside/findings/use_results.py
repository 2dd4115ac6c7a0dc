"""The five uses of one judge as numbers and codes; None without a value, and ``reason`` says why.

Each use stands for itself and for this judge alone. Intervals over topics are at 95 % unless a field says
otherwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from trackside.statistics.estimate import Reason
from trackside.text.shown import Outline, Shown


class UseCode(StrEnum):
    """Within the stated margin of people, beyond it, or neither shown."""

    AS_PEOPLE = "as_people"
    DIFFERS = "differs"
    OPEN = "open"


class Relation(StrEnum):
    """Does the judge's order of the runs depend on its grades at all? By shuffles within topics."""

    SHOWN = "shown"
    REVERSE = "reverse"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Use(Shown):
    """What all uses share: ``topics_needed`` is how many topics would tell with even chance, if known."""

    code: UseCode
    reason: Reason | None = None
    topics_needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RankUse(Use):
    """Rank these runs: tau with its interval, beside the middle 95 % of tau with the judge's grades shuffled.

    ``popular_tau`` is that of a judge that grades by the number of runs that retrieve a result. ``told`` is
    the share of run pairs with people's sign less the share with the other one, of the pairs that people tell
    apart (paired t, p at most .01). ``second_difference`` is tau less the second assessor's, its ends
    one-sided at 95 %.
    """

    tau: float | None = None
    low: float | None = None
    high: float | None = None
    relation: Relation = Relation.NOT_SHOWN
    chance_low: float | None = None
    chance_high: float | None = None
    popular_tau: float | None = None
    told: float | None = None
    told_low: float | None = None
    told_high: float | None = None
    second_difference: float | None = None
    second_low: float | None = None
    second_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BestUse(Use):
    """Choose the best run: ``loss`` is people's best mean less people's mean of the judge's first run.

    ``low`` and ``high`` are one-sided ends at 95 % over all rivals. ``near_count`` runs are within
    ``margin`` of the best by people's means. Of ``first_count`` runs with the judge's highest mean ``run`` is
    the one that could be farthest below.
    """

    run: str | None = None
    loss: float | None = None
    low: float | None = None
    high: float | None = None
    margin: float | None = None
    near_count: int | None = None
    first_count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FamilyUse(Shown):
    """One declared family: the excess with its interval at ``level`` and its 90 % interval, in points.

    ``people`` and ``judge`` are the Relative Deltas between the family and the other runs.
    """

    family: str
    excess: float | None
    low: float | None
    high: float | None
    level: float
    low90: float | None
    high90: float | None
    people: float | None
    judge: float | None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FamiliesUse(Use):
    """Treat families alike: every declared family, in the order of their names."""

    families: tuple[FamilyUse, ...] = ()

    def beyond(self, margin: float) -> tuple[FamilyUse, ...]:
        """The families whose interval is wholly beyond the margin, the farthest first."""
        families = [one for one in self.families if one.low is not None and one.high is not None]
        outside = [one for one in families if (one.low or 0.0) > margin or (one.high or 0.0) < -margin]
        return tuple(sorted(outside, key=lambda one: -abs(one.excess or 0.0)))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TuneUse(Use):
    """Tune on it: of what a run gains by pleasing the judge, the share that people see.

    ``promised`` and ``seen`` are the gains by the judge and by people, in hundredths of the measure.
    ``blind_rate`` is the mean rate of judges shuffled within topic and people's grade. ``second_difference``
    is the rate less the second assessor's, its ends one-sided at 95 %.
    """

    rate: float | None = None
    low: float | None = None
    high: float | None = None
    promised: float | None = None
    seen: float | None = None
    blind_rate: float | None = None
    second_difference: float | None = None
    second_low: float | None = None
    second_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LabelUse(Use):
    """Label single pairs: kappa with people, and less the second assessors' on the pairs that all graded.

    The ends of the difference are one-sided at 95 %.
    """

    kappa: float | None = None
    low: float | None = None
    high: float | None = None
    judge_kappa: float | None = None
    second_kappa: float | None = None
    difference: float | None = None
    low_difference: float | None = None
    high_difference: float | None = None
    pair_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AssayFinding(Shown):
    """Do people agree well enough to measure a judge against them? Second assessors pooled by pair.

    ``kappa`` is of relevant or not, with its 95 % interval and the one-sided ``lower`` end;
    ``positive_agreement`` is 2 a / (2 a + b + c).
    """

    is_passed: bool = False
    kappa: float | None = None
    low: float | None = None
    high: float | None = None
    lower: float | None = None
    positive_agreement: float | None = None
    pair_count: int = 0
    topic_count: int = 0
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HardlyGraded(Shown):
    """Runs that people hardly graded, and the cutoff that would keep ``kept_count`` runs, if any."""

    measure: str
    runs: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    is_too_few_left: bool = False
    kept_by: str | None = None
    kept_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Uses(Shown):
    """The five uses of one judge, and the shares of the pairs and runs that they rest on.

    ``gap_count`` of the ``pair_count`` pairs that people graded have no grade of the judge; ``gaps_decide``
    names the uses whose code depends on them.
    """

    rank: RankUse
    best: BestUse
    families: FamiliesUse
    tune: TuneUse
    label: LabelUse
    run_count: int = 0
    topic_count: int = 0
    pair_count: int = 0
    gap_count: int = 0
    gaps_decide: tuple[str, ...] = ()
    runs_decide: tuple[str, ...] = ()
    assay: AssayFinding = AssayFinding()

    @property
    def graded_count(self) -> int:
        """The pairs that people and the judge graded."""
        return self.pair_count - self.gap_count

    def named(self) -> Iterator[tuple[str, Use]]:
        """Each use with its name."""
        for name in USES:
            yield name, getattr(self, name)

    def _shown(self) -> Outline:
        codes = {name: str(use.code) for name, use in self.named()}
        return Outline(", ".join(f"{name} {code}" for name, code in codes.items()), (), ())


USES = ("rank", "best", "families", "tune", "label")
