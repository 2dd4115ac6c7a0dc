"""The sentences above a report: on its judges, or on its best runs if it has no judge."""

from collections.abc import Mapping, Sequence

from trackside.findings.excess import ALPHA
from trackside.findings.results import FamilyFinding, JudgeFindings, OrderFinding
from trackside.findings.verdicts import FavourVerdict, GradeVerdict, OrderVerdict, is_at_chance
from trackside.reporting.findings import Findings, LeaderFinding
from trackside.reporting.views.sentences import between, coefficient, listed, order_words, pairs_words, points
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted

AS_PEOPLE = (OrderVerdict.ALMOST, OrderVerdict.DIFFERENCES)
MOST_NAMED = 3


def lead(findings: Findings, measure: str, family: str | None) -> str:
    """One to four sentences on people, order, grades, and the family."""
    if not findings.judges:
        leader_words = _leader_words(next(leader for leader in findings.leaders if leader.measure == measure))
        disagree = _people_lead(findings)
        return f"{disagree}. {leader_words}" if disagree else leader_words
    parts = [
        _people_lead(findings),
        _order_lead(findings, measure),
        _grades_lead(findings.judges),
        _family_lead(findings, measure, family) if family else None,
    ]
    return " ".join(f"{part}." for part in parts if part)


def _people_lead(findings: Findings) -> str | None:
    """Say that people do not agree, if a second assessor's grades are hardly above chance; else None."""
    for second in findings.yardsticks:
        grades = second.grades
        is_fixed = grades.reason is Reason.NO_VARIATION  # kappa is its own interval
        ends = (grades.kappa, grades.kappa) if is_fixed else (grades.low, grades.high)
        if is_at_chance(*ends):
            kappa = coefficient(grades.kappa or 0.0)
            return f"People do not agree with each other: kappa {kappa}, hardly more than by chance"
    return None


def _order_lead(findings: Findings, measure: str) -> str:
    orders = {judge.name: judge.order(measure) for judge in findings.judges}
    runs = f"these {counted(max(order.run_count for order in orders.values()), 'run')}"
    for verdict, words in (
        (OrderVerdict.ALMOST, f"{runs} almost as people do"),
        (OrderVerdict.DIFFERENCES, f"{runs} as people do, with differences"),
    ):
        if names := _best_first(orders, verdict):
            against = _best_first(orders, OrderVerdict.REVERSE)
            but = f"; {_named(against)} {_verb('order', against)} them in reverse" if against else ""
            return f"{_named(names)} {_verb('order', names)} {words}{but}"
    if names := _best_first(orders, OrderVerdict.REVERSE):
        return f"{_named(names)} {_verb('order', names)} {runs} in reverse of people's order"
    bounded = {name: order for name, order in orders.items() if order.high is not None}
    if bounded:
        name = max(bounded, key=lambda name: bounded[name].high or -1.0)
        bound = f"tau is at most {coefficient(bounded[name].high or 0.0)} ({name}) and may be 0"
        return f"No judge's order of {runs} is shown to be related to people's: {bound}"
    name = max(orders, key=lambda name: -2.0 if orders[name].tau is None else orders[name].tau or 0.0)
    return f"{name} {order_words(orders[name])}"


def _best_first(orders: dict[str, OrderFinding], verdict: OrderVerdict) -> list[str]:
    names = [name for name, order in orders.items() if order.verdict is verdict]
    return sorted(names, key=lambda name: -(orders[name].tau or 0.0))


def _named(names: Sequence[str]) -> str:
    """The names, or their number if there are many."""
    return listed(names if len(names) <= MOST_NAMED else [*names[:2], f"{len(names) - 2} more judges"])


def _verb(verb: str, names: Sequence[str]) -> str:
    return f"{verb}s" if len(names) == 1 else verb


def _grades_lead(judges: Sequence[JudgeFindings]) -> str | None:
    """Judges compared with the second assessor; None if no judge has a verdict."""
    verdicts = {judge.name: judge.second.verdict for judge in judges}
    as_good = [name for name, verdict in verdicts.items() if verdict is GradeVerdict.NOT_WORSE]
    worse = [name for name, verdict in verdicts.items() if verdict is GradeVerdict.WORSE]
    if as_good:
        return f"{_named(as_good)} {_verb('grade', as_good)} pairs no worse than a second assessor"
    if len(worse) == len(judges) > 1:
        return "Every judge grades pairs worse than a second assessor"
    return f"{_named(worse)} {_verb('grade', worse)} pairs worse than a second assessor" if worse else None


def _family_lead(findings: Findings, measure: str, family: str) -> str | None:
    """Judges with a significant excess, p corrected for families and judges; else the range of all judges."""
    rated = {
        judge.name: finding
        for judge in findings.judges
        if (finding := judge.family(measure, family)) and finding.low is not None
    }
    significant = {
        name: finding
        for name, finding in rated.items()
        if finding.p_holm is not None and finding.p_holm * len(findings.judges) <= ALPHA
    }
    above = {name: finding for name, finding in significant.items() if finding.verdict.is_above}
    below = {name: finding for name, finding in significant.items() if finding.verdict.is_below}
    parts = [_side_words(side, family, words) for side, words in ((above, "above"), (below, "below")) if side]
    return "; ".join(parts) if parts else _range_words(rated, family, len(findings.judges))


def _side_words(rated: Mapping[str, FamilyFinding], family: str, side: str) -> str:
    names = sorted(rated, key=lambda name: -abs(rated[name].excess or 0.0))
    sizes = points(*(rated[name].excess or 0.0 for name in names))
    size = f"{sizes[0]} points" if len(sizes) == 1 else f"{sizes[-1]} to {sizes[0]} points"
    words = (
        f"{_named(names)} {_verb('rate', names)} {family} runs {size} {side} people's grades, beyond leniency"
    )
    verdicts = (FavourVerdict.FAVOURS, FavourVerdict.DISFAVOURS)
    favoured = [name for name in names if (favour := rated[name].favour) and favour.verdict in verdicts]
    if not favoured:
        return words
    whom = "" if len(favoured) == len(names) else f" for {_named(favoured)}"
    return f"{words}; by the second assessor's grades it is a {'dis' if side == 'below' else ''}favour{whom}"


def _range_words(rated: Mapping[str, FamilyFinding], family: str, judge_count: int) -> str | None:
    """The range of the intervals of all judges that have one."""
    if not rated:
        return None
    low = min(finding.low or 0.0 for finding in rated.values())
    high = max(finding.high or 0.0 for finding in rated.values())
    names = list(rated)
    is_every = 1 < len(names) == judge_count
    subject = "Every judge rates" if is_every else f"{_named(names)} {_verb('rate', names)}"
    if low == high == 0:
        return f"{subject} {family} runs as people's grades do"
    return f"{subject} {family} runs {between(low, high)} people's grades"


def advice(findings: Findings, measure: str) -> str | None:
    """The judge whose order is nearest to people's, and the pairs of runs that it reverses."""
    orders = {judge.name: judge.order(measure) for judge in findings.judges}
    for verdict in AS_PEOPLE:
        names = _best_first(orders, verdict)
        if names and (pairs := pairs_words(orders[names[0]])):
            return f"{names[0]} {pairs}."
    return None


def _leader_words(leader: LeaderFinding) -> str:
    if not leader.first:
        return "No run has a value on every topic."
    first = listed(leader.first) if len(leader.first) <= MOST_NAMED else counted(len(leader.first), "run")
    verb = _verb("lead", leader.first)
    if len(leader.first) > 1:
        return f"{first} {verb} with the same mean."
    if not leader.is_tested:
        return f"{first} {verb}; differences need two topics and two runs."
    if not leader.not_told_from:
        return f"{first} {verb}; people tell it apart from every other run."
    others = leader.not_told_from
    other_words = listed(others) if len(others) <= MOST_NAMED else counted(len(others), "other run")
    return f"{first} {verb}; people do not tell it apart from {other_words}."
