"""The results of the five questions: numbers, ends of intervals, and verdicts as codes.

Undefined numbers are None; ``reason`` then says why. Tables, sentences, figures and files are views of these.
"""

from dataclasses import dataclass

from trackside.errors import InputError
from trackside.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    OrderVerdict,
)
from trackside.statistics.estimate import Reason
from trackside.text.shown import Outline, Shown, short


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RunPairs(Shown):
    """Pairs of runs: those that people tell apart (paired t, Holm), and those that the judge tells apart.

    ``kept`` and ``reversed`` are told apart by both, with the same and the other sign; ``missed`` by people
    alone, ``added`` by the judge alone.
    """

    told: int
    kept: int
    reversed: int
    missed: int
    added: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OtherRuns(Shown):
    """The order of other teams' runs: the interval of tau over teams, from eight teams on."""

    team_count: int
    low: float | None = None
    high: float | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OrderFinding(Shown):
    """One measure: do two sets of grades order the runs alike? Runs are fixed, topics are the sample.

    ``low`` and ``high`` are the 95 % interval of tau over topics. ``pairs`` is None below two topics.
    ``people_means`` and ``judge_means`` are what tau compares, in the order of the report's runs; None for a
    run that is not compared.
    """

    measure: str
    run_count: int
    topic_count: int
    tau: float | None
    low: float | None
    high: float | None
    rho: float | None
    r: float | None
    pairs: RunPairs | None
    other_runs: OtherRuns
    verdict: OrderVerdict
    people_means: tuple[float | None, ...] = ()
    judge_means: tuple[float | None, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SecondTau(Shown):
    """tau(judge, people) - tau(second assessor, people) by nDCG@10, on the pairs that all three graded."""

    judge_tau: float | None = None
    second_tau: float | None = None
    difference: float | None = None
    low_difference: float | None = None
    high_difference: float | None = None
    verdict: GradeVerdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SecondFinding(Shown):
    """Is the judge as good as a second assessor, on the pairs that people, judge and second all graded?

    ``difference`` is the judge's kappa with people minus the second assessor's; its ends are one-sided at
    95 % each.
    """

    second: str | None
    pair_count: int = 0
    topic_count: int = 0
    kappa: float | None = None
    second_kappa: float | None = None
    difference: float | None = None
    low_difference: float | None = None
    high_difference: float | None = None
    tau: SecondTau
    verdict: GradeVerdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GradeFinding(Shown):
    """Agreement with people on the pairs of both: kappa with its 95 % interval, and leniency in grades."""

    pair_count: int
    topic_count: int
    kappa: float | None
    low: float | None
    high: float | None
    leniency: float | None
    leniency_low: float | None
    leniency_high: float | None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FavourFinding(Shown):
    """The coefficient of exposure with people's errors corrected by the second assessor, in grades.

    ``shared`` is the same if half of people's error bias survives the correction, as it does when three in
    ten errors are shared. ``uncorrected`` are plain least squares. ``first_stage`` is the least F.
    """

    uncorrected: float | None = None
    uncorrected_low: float | None = None
    uncorrected_high: float | None = None
    corrected: float | None = None
    corrected_low: float | None = None
    corrected_high: float | None = None
    shared: float | None = None
    shared_low: float | None = None
    shared_high: float | None = None
    first_stage: float | None = None
    pair_count: int = 0
    topic_count: int = 0
    verdict: FavourVerdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TippingFinding(Shown):
    """The fewest errors of people among the candidates that explain the excess; None if all do not."""

    candidate_count: int | None = None
    fewest: int | None = None

    @property
    def share(self) -> float | None:
        """``fewest`` as a share of the candidates."""
        return self.fewest / self.candidate_count if self.fewest and self.candidate_count else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GeneralFinding(Shown):
    """Do such families gain with other teams, too? Cluster-robust test over teams (CR2, Bell-McCaffrey)."""

    error: float | None = None
    freedom: float | None = None
    p: float | None = None
    verdict: GeneralVerdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FamilyFinding(Shown):
    """One measure and family: how far the judge rates the family above people, beyond its leniency.

    ``excess`` is in points of Relative Delta, its interval at ``level``, which is 1 - .05 / (the judge's
    testable families). ``p`` is of this family alone, ``p_holm`` corrected for the judge's families.
    ``visible_share`` is how much of a favour of one grade for all of the family's own results the excess can
    show. ``people_delta`` and ``judge_delta`` are the plain Relative Deltas. ``favour`` and ``tipping`` are
    None for all measures but the report's first.
    """

    measure: str
    family: str
    excess: float | None
    low: float | None
    high: float | None
    level: float
    p: float | None
    p_holm: float | None
    people_delta: float | None
    judge_delta: float | None
    visible_share: float | None
    verdict: FamilyVerdict
    general: GeneralFinding
    favour: FavourFinding | None = None
    tipping: TippingFinding | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TwiceGraded(Shown):
    """A topic and a document with people's grade and the judge's."""

    topic: str
    docno: str
    people: int
    judge: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DifferFinding(Shown):
    """Where people and judge differ most: ``gap`` grades, on ``pair_count`` pairs; ``pairs`` are examples."""

    gap: int = 0
    pair_count: int = 0
    pairs: tuple[TwiceGraded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetFindings(Shown):
    """One set of grades against people's: ``orders`` are by measure."""

    name: str
    orders: tuple[OrderFinding, ...]
    grades: GradeFinding

    def order(self, measure: str) -> OrderFinding:
        """The order by this measure. Raises InputError for one that the report does not have."""
        by_measure = {finding.measure: finding for finding in self.orders}
        if measure not in by_measure:
            raise InputError(f"{measure}: the report has the measures {', '.join(by_measure)}.")
        return by_measure[measure]

    def _shown(self) -> Outline:
        kappa, orders = short(self.grades.kappa), self.orders
        taus = ", ".join(f"tau {short(order.tau)} by {order.measure}" for order in orders[:1])
        rows = ((order.measure, short(order.tau), str(order.verdict)) for order in orders)
        return Outline(f"{self.name}: kappa {kappa}, {taus}", ("measure", "tau", "verdict"), rows)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class YardstickFinding(SetFindings):
    """A second assessor against people: the yardstick of the judges, never one of them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgeFindings(SetFindings):
    """All findings of one judge; ``families`` are by measure and family."""

    second: SecondFinding
    families: tuple[FamilyFinding, ...]
    differs: DifferFinding = DifferFinding()

    def family(self, measure: str, family: str | None) -> FamilyFinding | None:
        """The finding of this family by this measure; None for an unknown family or none."""
        return next((one for one in self.families if (one.measure, one.family) == (measure, family)), None)
