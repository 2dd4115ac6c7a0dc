"""The results of the questions about a judge: numbers, ends of intervals, and verdicts as codes.

Undefined numbers are None; ``reason`` then says why. Tables, sentences, figures and files are views of these.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from trackside.errors import InputError
from trackside.findings.use_results import Uses
from trackside.findings.verdicts import (
    FamilyVerdict,
    GeneralVerdict,
    OrderVerdict,
    ThirdVerdict,
)
from trackside.measuring import Measure, parse_measure
from trackside.statistics.estimate import Reason
from trackside.text.shown import Outline, Shown, short


def same_measure(name: str, names: Iterable[str]) -> str | None:
    """The one of the names that spells the same measure, such as AP for AP(rel=1); None without one."""
    named = tuple(names)
    if name in named:
        return name
    try:
        wanted = _at_least_one(parse_measure(name))
    except InputError:
        return None
    return next((known for known in named if _at_least_one(parse_measure(known)) == wanted), None)


def _at_least_one(measure: Measure) -> Measure:
    """The measure at its level, which is 1 if its name has none."""
    return measure if measure.level is not None else measure.at_level(1)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RunPairs(Shown):
    """Pairs of runs: those that people tell apart (paired t, Holm), and those that the judge tells apart.

    ``kept`` and ``reversed`` are told apart by both, with the same and the other sign; ``missed`` by people
    alone, ``added`` by the judge alone. Of the missed pairs ``leaning`` have the other sign by the judge.
    """

    told: int
    kept: int
    reversed: int
    missed: int
    added: int
    leaning: int = 0


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
class DirectionFinding(Shown):
    """What the judge adds a unit of exposure, with one person's errors corrected by the other's grades.

    ``slope`` is the judge's mean slope on that person's corrected grades, ``first_stage`` the least F.
    """

    corrected: float
    low: float
    high: float
    slope: float
    first_stage: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TakesFinding(Shown):
    """How far people and the second assessor would both have to grade too low for an excess to be no favour.

    ``too_low`` and its lower end ``at_least`` are in people's grades, of what all runs of the family and no
    other find in their first ten: the smaller ones of two directions, ``people`` corrected by the second
    assessor and ``second`` by people. Both are None, with the reason, where the grades cannot tell.
    """

    too_low: float | None = None
    at_least: float | None = None
    people: DirectionFinding | None = None
    second: DirectionFinding | None = None
    pair_count: int = 0
    topic_count: int = 0
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
class ThirdFinding(Shown):
    """What a third person says of the results that decide most: those the judge is farthest from people on.

    Of the ``graded_count`` of ``chosen_count`` results, ``as_judge_count`` grades are nearer to the judge's
    grade and ``as_people_count`` nearer to people's. ``too_low`` with its 95 % interval is how far people
    and the second assessor both grade too low what all runs of the family and no other find; None with fewer
    than ten topics.
    """

    chosen_count: int = 0
    graded_count: int = 0
    as_judge_count: int = 0
    as_people_count: int = 0
    too_low: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: ThirdVerdict = ThirdVerdict.OPEN


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TwiceGraded(Shown):
    """A topic and a document with people's grade and the judge's."""

    topic: str
    docno: str
    people: int
    judge: int


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
    show. ``people_delta`` and ``judge_delta`` are the plain Relative Deltas. ``takes`` is None for
    all measures but the report's first; ``tipping`` also where ``takes`` has a number. Where the whole
    interval is on one side of 0, ``deciding`` are the results that a third person's grades would narrow it
    by most, and ``third`` what such grades say, if there are any.
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
    takes: TakesFinding | None = None
    tipping: TippingFinding | None = None
    deciding: tuple[TwiceGraded, ...] = ()
    third: ThirdFinding | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DifferFinding(Shown):
    """Where people and judge differ most: ``gap`` grades, on ``pair_count`` pairs; ``pairs`` are examples."""

    gap: int = 0
    pair_count: int = 0
    pairs: tuple[TwiceGraded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetFindings(Shown):
    """One set of grades against people's: ``orders`` are by measure, ``uses`` by the first one."""

    name: str
    orders: tuple[OrderFinding, ...]
    grades: GradeFinding
    uses: Uses

    def order(self, measure: str) -> OrderFinding:
        """The order by this measure, in any spelling. Raises InputError for one that the report lacks."""
        by_measure = {finding.measure: finding for finding in self.orders}
        name = same_measure(measure, by_measure)
        if name is None:
            raise InputError(f"{measure}: the report has the measures {', '.join(by_measure)}.")
        return by_measure[name]

    def _shown(self) -> Outline:
        kappa, orders = short(self.grades.kappa), self.orders
        taus = ", ".join(f"tau {short(order.tau)} by {order.measure}" for order in orders[:1])
        rows = ((order.measure, short(order.tau), short(order.low), short(order.high)) for order in orders)
        return Outline(f"{self.name}: kappa {kappa}, {taus}", ("measure", "tau", "low", "high"), rows)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class YardstickFinding(SetFindings):
    """A second assessor against people: the yardstick of the judges, never one of them.

    Of its ``uses`` the numbers count, not the codes.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JudgeFindings(SetFindings):
    """All findings of one judge; ``families`` are by measure and family."""

    families: tuple[FamilyFinding, ...]
    differs: DifferFinding = DifferFinding()

    def family(self, measure: str, family: str | None) -> FamilyFinding | None:
        """The finding of this family by this measure, in any spelling; None for an unknown family or none."""
        name = same_measure(measure, {one.measure for one in self.families})
        return next((one for one in self.families if (one.measure, one.family) == (name, family)), None)
