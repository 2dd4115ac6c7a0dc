"""One short sentence on each use of a judge, in pieces that a page can link."""

from collections.abc import Callable
from dataclasses import dataclass

from trackside.findings.results import JudgeFindings, RunPairs, SetFindings, YardstickFinding
from trackside.findings.use_results import AssayFinding, FamilyUse, RankUse, Relation, Use, UseCode, Uses
from trackside.findings.uses.rank import FEWEST_RUNS
from trackside.findings.uses.second import LEAST_KAPPA
from trackside.findings.verdicts import Margins
from trackside.reporting.findings import ReportFacts
from trackside.reporting.tables import ABSENT, MINUS
from trackside.reporting.views.sentences import takes_words, why
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted

MOST_FAMILIES = 3  # named in a cell; a page with all is one click away
HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence; ``link`` is the section that it leads to, or empty."""

    text: str
    link: str = ""


def number_of(uses: Uses, name: str, margins: Margins) -> str:
    """The number of a use with its ends; a dash without one."""
    first = next(iter(uses.families.families), None)
    match name:
        case "rank":
            use = uses.rank
            low = use.low if uses.run_count >= FEWEST_RUNS else None
            return ABSENT if use.tau is None else with_ends(use.tau, low, use.high, margins.order)
        case "best":
            best = uses.best
            if best.loss is None or best.low is None or best.high is None:
                return ABSENT if best.loss is None else short(best.loss)
            ends = f"{short(best.low, best.margin)} to {short(best.high, best.margin)}"
            return f"{short(best.loss)} ({ends})"
        case "families":
            part = _family_parts(first, margins.points)[1] if first else Part(ABSENT)
            return part.text.strip(": ")
        case "tune":
            tune = uses.tune
            return ABSENT if tune.rate is None else with_ends(tune.rate, tune.low, tune.high, margins.rate)
    label = uses.label
    return ABSENT if label.kappa is None else with_ends(label.kappa, label.low, label.high)


def after_parts(use: Use, uses: Uses, facts: ReportFacts) -> tuple[Part, ...]:
    """What an open use waits for."""
    if use.reason is Reason.GAPS:
        return (Part(f". It left {uses.gap_count:,} without a grade, and they could decide"),)
    if use.reason is Reason.HARDLY_GRADED:
        return (Part(f". {hardly_words(facts)}"),)
    if use.topics_needed:
        return (Part(f". About {use.topics_needed:,} topics in all would tell"),)
    return ()


def hardly_words(facts: ReportFacts) -> str:
    """Which runs people hardly graded, and the cutoff that would keep most."""
    hardly = facts.hardly_graded
    runs = counted(len(hardly.runs), "run")
    cut = hardly.measure.partition("@")[2]
    words = f"People hardly graded the first {cut} results of {runs}, and they could decide"
    if hardly.kept_by:
        words += f"; {hardly.kept_by} would keep {hardly.kept_count} of {len(facts.runs)} runs"
    return words


def rank_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """tau, the run pairs in people's order, and what becomes of those that people tell apart."""
    uses = graded.uses
    use, pairs = uses.rank, graded.order(facts.measures[0]).pairs
    if use.tau is None:
        return (Part(f"no tau: {why(use.reason)}"),)
    if uses.run_count < FEWEST_RUNS:
        return _pair_parts(pairs, is_first=True) or (Part(f"{counted(uses.run_count, 'run')}: no order"),)
    ends = with_ends(use.tau, use.low, use.high, facts.margins.order)
    by_second = ""
    if use.code is UseCode.AS_PEOPLE and use.low is not None and use.low < facts.margins.order:
        by_second = _beside_second(use.second_difference, use.second_low, short)
    return Part(f"tau {ends}{_order(use)}{by_second}"), *_pair_parts(pairs)


def _beside_second(difference: float | None, low: float | None, shown: Callable[[float], str]) -> str:
    """The distance from a second assessor, where it alone makes a code as people."""
    if difference is None or low is None:
        return ""
    side = "below" if difference < 0 else "above"
    end = f"at most {shown(-low)} below" if low < 0 else f"at least {shown(low)} above"
    return f", {shown(abs(difference))} {side} a second assessor ({end})"


def _order(use: RankUse) -> str:
    """What tau means; below a shown relation, that the pool carries as much of an order."""
    if use.low is None:
        return f": {why(use.reason)}"
    if use.relation is Relation.NOT_SHOWN:
        return ": as with its grades shuffled"
    if use.relation is Relation.REVERSE:
        return ": below that with its grades shuffled"
    return f": {HUNDRED * (1 + (use.tau or 0.0)) / 2:.0f} of 100 run pairs in people's order"


def _pair_parts(pairs: RunPairs | None, *, is_first: bool = False) -> tuple[Part, ...]:
    """The run pairs that people tell apart."""
    if pairs is None:
        return ()
    if not pairs.told:
        return (Part("people tell no run pair apart" if is_first else ". People tell no run pair apart"),)
    leaning = f" ({pairs.leaning:,} with the other sign)" if pairs.leaning else ""
    return (
        Part(f"{'of' if is_first else '. Of'} {counted(pairs.told, 'run pair')} told apart "),
        Part(f"{pairs.kept:,} kept", "order"),
        Part(f", {pairs.missed:,} undecided{leaning}, "),
        Part(f"{pairs.reversed:,} reversed", "order"),
    )


def best_parts(graded: SetFindings, _facts: ReportFacts) -> tuple[Part, ...]:
    """The judge's first run, and how far it is below the best."""
    use = graded.uses.best
    if use.run is None or use.loss is None:
        return (Part(f"no first run: {why(use.reason)}"),)
    first, words = Part(use.run, "order"), f", {short(use.loss)} below the best"
    if use.first_count > 1:
        words = f", the worst of {use.first_count} first runs{words}"
    if use.high is None or use.low is None:
        return first, Part(f"{words}: {why(use.reason)}")
    low, high = (short(end, use.margin) for end in (use.low, use.high))
    end = f"at least {low}" if use.code is UseCode.DIFFERS else f"at most {high}"
    return first, Part(f"{words} ({end}){_unrelated(use, graded.uses.rank)}")


def _unrelated(use: Use, rank: RankUse) -> str:
    """Why the order of the runs keeps another use open."""
    if use.reason is not Reason.NO_RELATION:
        return ""
    if rank.relation is Relation.REVERSE:
        return ". Its order of the runs is the reverse of people's"
    return ". Its order of the runs is as with its grades shuffled"


def families_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """The first declared family, then those beyond the margin, then the others."""
    use = graded.uses.families
    if not use.families:
        return (Part(why(use.reason)),)
    first, *others = use.families
    points = facts.margins.points
    beyond = use.beyond(points)
    parts = [*_family_parts(first, points, is_inside=use.code is UseCode.AS_PEOPLE)]
    if first.people is not None and first.judge is not None:
        sides = counted(round(abs(first.people)), "point"), f"{abs(first.judge):.0f}"
        turn = " the other way" * (first.people * first.judge < 0)
        parts.append(Part(f": people see {sides[0]} between the families, it sees {sides[1]}{turn}"))
    named = sorted(others, key=lambda one: one not in beyond)
    for family in named[: MOST_FAMILIES - 1]:
        parts += [Part("; "), *_family_parts(family, points, is_inside=use.code is UseCode.AS_PEOPLE)]
    if hidden := named[MOST_FAMILIES - 1 :]:
        outside = sum(family in beyond for family in hidden)
        further = f", {outside} of them beyond the margin" if outside else ""
        parts += [Part("; "), Part(f"{len(hidden)} more{further}", "families")]
    parts.append(Part(_unrelated(use, graded.uses.rank)))
    parts += [Part(f". {words}") for words in _takes(graded, facts)]
    return tuple(parts)


def _takes(graded: SetFindings, facts: ReportFacts) -> list[str]:
    """What a favour of the family with the largest excess above 0 would take; empty without one."""
    above = [family for family in graded.uses.families.families if (family.low or 0.0) > 0]
    above.sort(key=lambda family: -(family.excess or 0.0))
    if not above or not isinstance(graded, JudgeFindings):
        return []
    finding = graded.family(facts.measures[0], above[0].family)
    words = takes_words(finding) if finding else None
    return [words[0].upper() + words[1:]] if words else []


def _family_parts(one: FamilyUse, margin: float, *, is_inside: bool = False) -> tuple[Part, Part]:
    """A family with its excess; ``is_inside`` adds the 90 % interval if only that is within the margin."""
    name = Part(one.family, "families")
    if one.excess is None:
        return name, Part(f": {why(one.reason)}")
    if one.low is None or one.high is None:
        return name, Part(f" {whole_signed(one.excess)} ({why(one.reason)})")
    ends = _points(one.low, one.high, margin)
    if is_inside and one.low90 is not None and one.high90 is not None:
        is_wider = one.low <= -margin or one.high >= margin
        ends += f"; at 90 % {_points(one.low90, one.high90, margin)}" * is_wider
    return name, Part(f" {whole_signed(one.excess)} ({ends})")


def _points(low: float, high: float, margin: float) -> str:
    return " to ".join(whole_signed(end, margin, is_plain=True) for end in (low, high))


def tune_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """What a run gains by pleasing the judge, and what people see of it."""
    use = graded.uses.tune
    if use.rate is None or use.promised is None or use.seen is None:
        return (Part(why(use.reason)),)
    gains = f"of {counted(round(use.promised), 'point')} gained by it, people see {use.seen:z.0f}"
    gains = gains.replace("-", MINUS)
    if use.low is None or use.high is None:
        return (Part(f"{gains}: {percent(use.rate)}, {why(use.reason)}"),)
    margin = facts.margins.rate
    ends = f"{percent(use.low, margin).removesuffix(' %')} to {percent(use.high, margin).removesuffix(' %')}"
    by_second = ""
    if use.code is UseCode.AS_PEOPLE and use.low <= margin:
        by_second = _beside_second(use.second_difference, use.second_low, percent)
    return (Part(f"{gains}: {percent(use.rate)} ({ends}){by_second}"),)


def label_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """Kappa with people, and its distance from the second assessors'."""
    use = graded.uses.label
    if use.kappa is None:
        return (Part(f"no kappa: {why(use.reason)}"),)
    words = f"kappa {with_ends(use.kappa, use.low, use.high)}"
    if use.low is None:
        return (Part(f"{words}: {why(graded.grades.reason)}"),)
    if isinstance(graded, YardstickFinding):
        return (Part(words),)
    if use.reason is Reason.NO_ASSAY:
        return (Part(f"{words}: {assay_words(graded.uses.assay)}"),)
    if use.difference is None:
        return (Part(f"{words}: {why(use.reason)}"),)
    side = "below" if use.difference < 0 else "above"
    some = "" if use.pair_count == graded.grades.pair_count else f" on {use.pair_count:,} {facts.items}"
    return (Part(f"{words}, {short(abs(use.difference))} {side} a second assessor{some}"),)


def assay_words(assay: AssayFinding) -> str:
    """That people do not agree well enough, or are not shown to, with their kappa of relevant or not."""
    if assay.kappa is None:
        return f"people with each other: {why(assay.reason)}"
    kappa = with_ends(assay.kappa, assay.low, assay.high)
    if assay.kappa < LEAST_KAPPA:
        return f"people agree with each other only with kappa {kappa}"
    return f"people are not shown to agree with each other: kappa {kappa}"


def short(value: float, margin: float | None = None) -> str:
    """A coefficient without its leading zero, such as ".66", "1.00" or "−.04"; told from the margin."""
    text = f"{value:z.{_telling(value, margin, 2)}f}".replace("-", MINUS)
    return text.replace("0.", ".", 1) if text.removeprefix(MINUS).startswith("0.") else text


def _telling(value: float, margin: float | None, fewest: int) -> int:
    """As many decimals as tell a value from its margin, at most two more than ``fewest``."""
    more = range(fewest, fewest + 2)
    return next((n for n in more if margin is None or round(abs(value), n) != round(margin, n)), fewest + 2)


def with_ends(value: float, low: float | None, high: float | None, margin: float | None = None) -> str:
    """A coefficient with its interval, if any; the ends are told from the margin."""
    if low is None or high is None:
        return short(value)
    return f"{short(value)} ({short(low, margin)} to {short(high, margin)})"


def whole_signed(value: float, margin: float | None = None, *, is_plain: bool = False) -> str:
    """Points with a sign, or with a minus alone; decimals where a whole number would be 0 or the margin."""
    decimals = _telling(value, margin, 1 if 0 < abs(value) < 0.5 else 0)
    text = f"{value:z.{decimals}f}" if is_plain else f"{value:+z.{decimals}f}"
    return text.replace("-", MINUS)


def percent(share: float, margin: float | None = None) -> str:
    """A share in hundredths, with decimals only to tell it from the margin."""
    points, edge = HUNDRED * share, None if margin is None else HUNDRED * margin
    return f"{points:z.{_telling(points, edge, 0)}f} %".replace("-", MINUS)
