"""Does a judge favour a family of runs? Differences, the excess over run-blind judges, single items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.favour.related import related_runs
from evaluation.core.report.favour.run_blind import favour_of
from evaluation.core.report.tables import Column, CorrectionScope, Number, Section, Table
from evaluation.core.report.resampled import coefficient
from evaluation.core.report.sections.families.judges_as_runs import judges_as_runs, re_ranked_runs
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.estimate import Estimand
from evaluation.core.statistics.ranks import mid_ranks

if TYPE_CHECKING:
    from evaluation.core.arrays import Flags, Floats
    from evaluation.core.report.favour.favours import FamilyFavour, Favours
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.families.contrasts import Contrast
    from evaluation.core.statistics.families.favour import Favour

NEW_TOPICS = Estimand.NEW_TOPICS.words
NEW_TEAMS = Estimand.NEW_TOPICS_AND_TEAMS.words


def bias_section(study: Study, favours: Favours) -> Section:
    """Favour by measure, judge and family, favour by items, runs related to a judge, and judges as runs."""
    says = () if study.families else ("No family has some but not all runs, so favour cannot be tested.",)
    tables = (
        _by_measure(study, favours),
        _by_items(study, favours),
        _circularity(study, favours),
        re_ranked_runs(study),
        judges_as_runs(study),
    )
    return Section("bias", "Families of runs", says, tables)


_IF_ALIKE = (
    ", for a judge that errs alike on all topics; “favours” also needs it against run-blind judges that are "
    "drawn within topics"
)
_TESTS = (
    Column("p over topics", "p", role=CorrectionScope.EXPLORATORY),
    Column("other families as extreme", ".1%"),
    Column("p", "p", role=CorrectionScope.EXPLORATORY),
    Column("smallest p", "p"),
)
_MEASURED = (
    Column("people, %", "+z.1f", estimand="Relative Delta by people on these topics"),
    Column("judge, %", "+z.1f", estimand="Relative Delta by the judge on these topics"),
    Column("difference in Relative Delta", "+z.1f", has_interval=True, estimand=NEW_TOPICS),
    Column(
        "run-blind judges", "+z.1f", has_interval=True, estimand="the difference that run-blind judges show"
    ),
    Column("excess, points", "+z.1f", has_interval=True, estimand=NEW_TOPICS),
    Column("excess, with other teams", "+z.1f", has_interval=True, estimand=NEW_TEAMS),
    *_TESTS,
)


def _by_measure(study: Study, favours: Favours) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        Column("family"),
        Column("runs in it", "d"),
        Column("others", "d"),
        Column("teams in it", "d"),
        Column("other teams", "d"),
        *_MEASURED,
        Column("p, corrected", "p", role=CorrectionScope.DECLARED),
        Column("would show", ".0f", estimand="excess found in 8 of 10 cases or more, uncorrected"),
        Column("mean rank shift", "+z.1f"),
        Column("verdict"),
    )
    rows = tuple(_row(study, each) for each in favours.measures)
    draws = next((each.draws for each in favours.blind.values()), 0)
    within = "people's grade" if study.design.run_blind == "overall" else "people's grade and topic"
    notes = (
        "Relative Delta compares the mean of the family's runs with that of the others under one set of "
        "qrels. The difference is the judge's minus people's, on the same topics. It is not a favour: a "
        f"lenient judge lifts every weak family. Run-blind judges: {draws:,} judges with the same confusion "
        f"matrix, whose grades are drawn at random within {within} (mean, middle 95 %). Excess: the "
        "judge's Delta minus theirs.",
        "p over topics: jackknife t test of the excess, from 10 topics"
        f"{_IF_ALIKE if study.design.run_blind == 'overall' else ''}. Other families as extreme: the "
        "share of all families of as many whole teams with such an excess; of a team on both sides, single "
        "runs change places. It is not a p by itself, because runs of a family retrieve similar items. "
        "p: the larger of the two. p, corrected: by Benjamini and Hochberg over all hypotheses that the "
        "report declares; “favours” needs at most "
        f"{study.design.alpha}, and excess grades of the same sign (table “over-graded-items”). "
        "Smallest p: the least possible with these teams. Would show: the smallest excess whose p, "
        "uncorrected, is significant in 8 of 10 cases or more. Mean rank shift: ranks that "
        "the family's runs gain.",
    )
    return Table("bias", "Each judge and each family of runs.", columns, rows, notes)


def _row(study: Study, each: FamilyFavour) -> tuple[Cell, ...]:
    names = study.measures[each.measure], study.name(each.judge), each.family
    counts = int(each.flags.sum()), int((~each.flags).sum()), *each.found.teams
    people, own = each.shared.means()
    shift = _rank_shift(people, own, each.flags)
    return (
        *names,
        *counts,
        *_measured(each.found),
        each.p,
        each.found.excess.shown,
        shift,
        each.verdict,
    )


def _measured(found: Favour) -> tuple[Cell, ...]:
    return (
        Number.of(found.people),
        Number.of(found.judge),
        Number.of(found.difference, found.difference_interval),
        Number.of(found.blind, found.blind_range),
        Number.of(found.excess.value, found.excess.interval),
        Number.of(found.excess.value, found.crossed),
        *_tests(found.excess),
    )


def _tests(found: Contrast) -> tuple[Cell, ...]:
    return (
        Number.of(found.p_topics),
        Number.of(found.by_teams.p),
        Number.of(found.p),
        found.by_teams.smallest,
    )


def _rank_shift(people: Floats, own: Floats, flags: Flags) -> float | None:
    if not flags.any():
        return None
    return float((mid_ranks(-people)[flags] - mid_ranks(-own)[flags]).mean())


def _by_items(study: Study, favours: Favours) -> Table:
    columns = (
        Column("judge"),
        Column("family"),
        Column("results"),
        Column("topics", ",d"),
        Column("family's excess grade", "+z.3f"),
        Column("others' excess grade", "+z.3f"),
        Column("difference", "+z.3f", has_interval=True, estimand=NEW_TOPICS),
        *_TESTS,
        Column("p, corrected", "p", role=CorrectionScope.DECLARED),
        Column("would show", ".3f", estimand="difference found in 8 of 10 cases or more, uncorrected"),
        Column("verdict"),
    )
    rows = tuple(
        (
            study.name(each.judge),
            each.family,
            each.depth,
            each.topic_count,
            *each.means,
            Number.of(each.found.value, each.found.interval),
            *_tests(each.found),
            each.p,
            each.found.shown,
            each.verdict,
        )
        for each in favours.items
    )
    notes = (
        "Excess grade: the judge's grade minus its mean over the items with the same people's grade, so "
        "that leniency cancels out. Averaged over the graded results of each run, then over runs. Only the "
        "first results are declared hypotheses; pooled results are exploratory.",
    )
    return Table(
        "over-graded-items", "Excess grades of the items that each family retrieved.", columns, rows, notes
    )


def _circularity(study: Study, favours: Favours) -> Table:
    """The judge's favour to runs built on its backbone or by its team, and tau without these runs."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("related runs"),
        Column("why"),
        *_MEASURED,
        Column("tau with them", "z.2f"),
        Column("tau without", "z.2f"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            related, why = related_runs(study, judge)
            shared = study.shared_values(at, PEOPLE, judge)
            flags = related[shared.runs]
            if not flags.any():
                continue
            found = favour_of(study, favours.blind_of(study, judge), shared, at, flags)
            people, own = shared.means()
            names = ", ".join(study.tags[run] for run in shared.runs[flags])
            taus = [
                Number.of(coefficient(kendall_tau_b_of_rows, people[chosen], own[chosen]))
                for chosen in (flags | ~flags, ~flags)
            ]
            rows.append((measure, study.name(judge), names, why, *_measured(found), *taus))
    notes = (
        "Related: the run's backbone or one of its families has the name of the judge's backbone or of an "
        "ensemble member's, or its team is the judge's. Names are compared without owner, case, punctuation "
        "and long forms of sizes. A judge without such runs has no row. All p are exploratory.",
    )
    return Table("circularity", "Runs related to the judge.", columns, tuple(rows), notes)
