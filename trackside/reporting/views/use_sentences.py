"""One short sentence on each use of a judge, in pieces that a page can link."""

from dataclasses import dataclass

from trackside.findings.results import JudgeFindings, RunPairs, SetFindings, YardstickFinding
from trackside.findings.use_results import AssayFinding, FamilyUse, RankUse, Relation, Use, UseCode, Uses
from trackside.findings.uses.rank import FEWEST_RUNS
from trackside.findings.uses.second import LEAST_KAPPA
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


def number_of(uses: Uses, name: str) -> str:
    """The number of a use with its ends; a dash without one."""
    first = next(iter(uses.families.families), None)
    match name:
        case "rank":
            use = uses.rank
            return ABSENT if use.tau is None else with_ends(use.tau, use.low, use.high)
        case "best":
            best = uses.best
            if best.loss is None or best.low is None or best.high is None:
                return ABSENT if best.loss is None else short(best.loss)
            return f"{short(best.loss)} ({short(best.low)} to {short(best.high)})"
        case "families":
            part = _family_parts(first)[1] if first else Part(ABSENT)
            return part.text.strip(": ")
        case "tune":
            tune = uses.tune
            return ABSENT if tune.rate is None else with_ends(tune.rate, tune.low, tune.high)
    label = uses.label
    return ABSENT if label.kappa is None else with_ends(label.kappa, label.low, label.high)


def after_parts(use: Use, uses: Uses, facts: ReportFacts) -> tuple[Part, ...]:
    """What an open use waits for."""
    if use.reason is Reason.GAPS:
        return (Part(f". It left {uses.gap_count:,} without a grade, and they could decide"),)
    if use.reason is Reason.HARDLY_GRADED:
        return (Part(f". {hardly_words(facts)}"),)
    if use.topics_needed:
        return (Part(f". About {use.topics_needed:,} topics would tell"),)
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
    return (Part(f"tau {with_ends(use.tau, use.low, use.high)}{_order(use)}"), *_pair_parts(pairs))


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
    start = "" if is_first else ". "
    if not pairs.told:
        return (Part(f"{start}People tell no run pair apart"),)
    leaning = f" ({pairs.leaning:,} with the other sign)" if pairs.leaning else ""
    return (
        Part(f"{start}Of {counted(pairs.told, 'run pair')} told apart "),
        Part(f"{pairs.kept:,} kept", "order"),
        Part(f", {pairs.missed:,} undecided{leaning}, "),
        Part(f"{pairs.reversed:,} reversed", "order"),
    )


def best_parts(graded: SetFindings, _facts: ReportFacts) -> tuple[Part, ...]:
    """The judge's first run, and how far it is below the best."""
    use = graded.uses.best
    if use.run is None or use.loss is None:
        return (Part(f"no first run: {why(use.reason)}"),)
    words = f", {short(use.loss)} below the best"
    if use.high is None or use.low is None:
        return (Part(f"{use.run}{words}: {why(use.reason)}"),)
    end = f"at least {short(use.low)}" if use.code is UseCode.DIFFERS else f"at most {short(use.high)}"
    related = ". Its order of the runs is as with its grades shuffled" * (use.reason is Reason.NO_RELATION)
    return (Part(f"{use.run}{words} ({end}){related}"),)


def families_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """The first declared family, then those beyond the margin, then the others."""
    use = graded.uses.families
    if not use.families:
        return (Part(why(use.reason)),)
    first, *others = use.families
    beyond = use.beyond(facts.margins.points)
    parts = [*_family_parts(first)]
    if first.people is not None and first.judge is not None:
        sides = counted(round(abs(first.people)), "point"), f"{abs(first.judge):.0f}"
        turn = " the other way" * (first.people * first.judge < 0)
        parts.append(Part(f": people see {sides[0]} between the families, it sees {sides[1]}{turn}"))
    named = sorted(others, key=lambda one: one not in beyond)
    for family in named[: MOST_FAMILIES - 1]:
        parts += [Part("; "), *_family_parts(family)]
    if hidden := named[MOST_FAMILIES - 1 :]:
        outside = sum(family in beyond for family in hidden)
        further = f", {outside} of them beyond the margin" if outside else ""
        parts += [Part("; "), Part(f"{len(hidden)} more{further}", "families")]
    if use.reason is Reason.NO_RELATION:
        parts.append(Part(". Its order of the runs is as with its grades shuffled"))
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


def _family_parts(one: FamilyUse) -> tuple[Part, Part]:
    name = Part(one.family, "families")
    if one.excess is None:
        return name, Part(f": {why(one.reason)}")
    if one.low is None or one.high is None:
        return name, Part(f" {whole_signed(one.excess)} ({why(one.reason)})")
    ends = f"{whole_signed(one.low, is_plain=True)} to {whole_signed(one.high, is_plain=True)}"
    return name, Part(f" {whole_signed(one.excess)} ({ends})")


def tune_parts(graded: SetFindings, _facts: ReportFacts) -> tuple[Part, ...]:
    """What a run gains by pleasing the judge, and what people see of it."""
    use = graded.uses.tune
    if use.rate is None or use.promised is None or use.seen is None:
        return (Part(why(use.reason)),)
    gains = f"gains {use.promised:.0f} by it, {use.seen:.0f} by people".replace("-", MINUS)
    if use.low is None or use.high is None:
        return (Part(f"{gains}: {percent(use.rate)}, {why(use.reason)}"),)
    ends = f"{percent(use.low).removesuffix(' %')} to {percent(use.high).removesuffix(' %')}"
    return (Part(f"{gains}: {percent(use.rate)} ({ends})"),)


def label_parts(graded: SetFindings, facts: ReportFacts) -> tuple[Part, ...]:
    """Kappa with people, and its distance from the second assessors'."""
    use = graded.uses.label
    if use.kappa is None:
        return (Part(f"no kappa: {why(use.reason)}"),)
    words = f"kappa {with_ends(use.kappa, use.low, use.high)}"
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


def short(value: float) -> str:
    """A coefficient without its leading zero, such as ".66", "1.00" or "−.04"."""
    text = f"{value:z.2f}".replace("-", MINUS)
    return text.replace("0.", ".", 1) if text.removeprefix(MINUS).startswith("0.") else text


def with_ends(value: float, low: float | None, high: float | None) -> str:
    """A coefficient with its interval, if any."""
    if low is None or high is None:
        return short(value)
    return f"{short(value)} ({short(low)} to {short(high)})"


def whole_signed(value: float, *, is_plain: bool = False) -> str:
    """Points with a sign, or with a minus alone; one decimal below 10 where a whole number would read 0."""
    decimals = 1 if 0 < abs(value) < 0.5 else 0
    text = f"{value:z.{decimals}f}" if is_plain else f"{value:+z.{decimals}f}"
    return text.replace("-", MINUS)


def percent(share: float) -> str:
    """A share as a whole number of hundredths."""
    return f"{HUNDRED * share:z.0f} %".replace("-", MINUS)
