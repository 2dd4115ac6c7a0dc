"""Does a judge favour a family of runs: Relative Delta, bias, circularity, the judge itself as a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.bias import deltas_of_rows, judge_bias, judge_bias_test, relative_delta
from evaluation.core.bootstrap import FEWEST_TOPICS, percentile_interval
from evaluation.core.correlation import kendall_tau_b_of_rows
from evaluation.core.estimate import Estimate
from evaluation.core.leaderboard import run_ranks
from evaluation.core.measures.judged import place_in_topic
from evaluation.core.multiplicity import adjust
from evaluation.core.ranks import mid_ranks
from evaluation.core.report.backbones import backbone_key
from evaluation.core.report.content import MINUS, Column, Number, Section, Table
from evaluation.core.report.resampled import coefficient
from evaluation.core.report.retrieved import Retrieved
from evaluation.core.report.study import PEOPLE, means_of

if TYPE_CHECKING:
    from evaluation.core.arrays import Flags, Floats
    from evaluation.core.permutation import PermutationTest
    from evaluation.core.report.content import Cell
    from evaluation.core.report.study import Shared, Study


def bias_section(study: Study) -> Section:
    """One row a measure, judge and family; then what runs related to a judge gain; then judges as runs."""
    says = () if study.families else ("No family divides the runs, so there is no bias to look for.",)
    return Section(
        "bias", "Evaluation bias", says, (_biases(study), _circularity(study), _judges_as_runs(study))
    )


def _biases(study: Study) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        Column("family"),
        Column("runs in it", "d"),
        Column("others", "d"),
        Column("people, %", "+z.1f"),
        Column("judge, %", "+z.1f"),
        Column("bias, points", "+z.1f", has_interval=True),
        Column("p", "p"),
        Column("p, Holm", "p"),
        Column("smallest p", "p"),
        Column("arrangements"),
        Column("mean rank shift", "+z.1f"),
        Column("in words"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            shared = study.shared_values(at, PEOPLE, judge)
            flags = [study.in_family(family)[shared.runs] for family in study.families]
            found = [_bias_row(study, shared, each) for each in flags]
            adjusted = adjust([test.p.value for _, test in found], "holm")
            for family, each, (bias, test), p in zip(study.families, flags, found, adjusted, strict=True):
                corrected = Number.of(test.p if p is None else Estimate.of(p))
                told = (*bias, Number.of(test.p), corrected, test.smallest, _tried(test))
                people, own = shared.means()
                shift = _rank_shift(people, own, each)
                words = _words(study.name(judge), family, bias[-1], corrected, study.design.alpha)
                rows.append((measure, study.name(judge), family, *told, shift, words))
    notes = (
        "Relative Delta compares the mean of the family's runs with that of the others under one set of "
        "qrels. Bias is the judge's Delta less people's, on the same topics; above 0 it favours the family. "
        "p: how often other choices of as many runs reach such a bias, exact up to 200,000 choices. p, Holm: "
        "corrected for the number of families; the words go by it. Smallest p: the least with so few runs. "
        "Mean rank shift: places that the family's runs gain.",
    )
    return Table("bias", "Bias of each judge to each family.", columns, tuple(rows), notes)


def _bias_row(
    study: Study, shared: Shared, flags: Flags
) -> tuple[tuple[int, int, Number, Number, Number], PermutationTest]:
    people, own = shared.means()
    test = judge_bias_test(own, people, flags, seed=study.design.seed)
    told = (
        int(flags.sum()),
        int((~flags).sum()),
        Number.of(relative_delta(people, flags).delta),
        Number.of(relative_delta(own, flags).delta),
        _with_interval(study, shared, flags),
    )
    return told, test


def _with_interval(study: Study, shared: Shared, flags: Flags) -> Number:
    people, own = shared.means()
    found = judge_bias(own, people, flags)
    if found.value is None or shared.topics.size < FEWEST_TOPICS:
        return Number.of(found)
    truth, guess = (deltas_of_rows(study.sampled_means(each), flags) for each in shared.values)
    return Number.of(found, percentile_interval(guess - truth))


def _rank_shift(people: Floats, own: Floats, flags: Flags) -> float | None:
    if not flags.any():
        return None
    return float((mid_ranks(-people)[flags] - mid_ranks(-own)[flags]).mean())


def _tried(test: PermutationTest) -> str:
    return f"{'all' if test.is_exact else 'drawn'} {test.arrangements:,}"


def _words(judge: str, family: str, bias: Number, p: Number, alpha: float) -> str:
    if bias.value is None or p.value is None:
        return "undefined"
    size = f"{abs(bias.value):.1f} points"
    if p.value > alpha:
        sign = "+" if bias.value >= 0 else MINUS
        return f"{sign}{size} can be chance"
    return f"{judge} {'favours' if bias.value > 0 else 'disfavours'} {family} runs by {size}"


def _circularity(study: Study) -> Table:
    """The runs built on the judge's own backbone or by its own team, and what is left without them."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("related runs"),
        Column("why"),
        Column("bias to them, points", "+z.1f", has_interval=True),
        Column("p", "p"),
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
            people, own = shared.means()
            test = judge_bias_test(own, people, flags, seed=study.design.seed)
            names = [study.tags[run] for run in shared.runs[flags]]
            taus = [
                Number.of(coefficient(kendall_tau_b_of_rows, people[kept], own[kept]))
                for kept in (np.ones_like(flags), ~flags)
            ]
            bias = _with_interval(study, shared, flags)
            rows.append((measure, study.name(judge), ", ".join(names), why, bias, Number.of(test.p), *taus))
    notes = (
        "Related: the run's backbone or one of its families is named like the judge's backbone, or like that "
        "of a member of an ensemble, or its team is the judge's. Owner, case, signs and the long forms of "
        "sizes do not count in names. A judge without such runs has no row.",
    )
    return Table("circularity", "Runs related to the judge.", columns, tuple(rows), notes)


def related_runs(study: Study, judge: int) -> tuple[Flags, str]:
    """Runs that share the judge's backbone or team, and which of the two it is."""
    provenance = study.sets[judge].provenance
    team = str(provenance.get("team") or "").casefold()
    members = (provenance.get("ensemble") or {}).get("backbones") or ()
    names = {backbone_key(str(name or "")) for name in (provenance.get("backbone"), *members)} - {""}
    same_backbone = np.array(
        [not names.isdisjoint(map(backbone_key, (run.backbone, *run.families))) for run in study.runs]
    )
    same_team = np.array([bool(team) and run.team.casefold() == team for run in study.runs])
    reasons = ["same backbone"] * bool(same_backbone.any()) + ["same team"] * bool(same_team.any())
    return same_backbone | same_team, " or ".join(reasons)


def _judges_as_runs(study: Study) -> Table:
    """Each judge with raw scores as a run that ranks the pool by them: how high would it put itself?"""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("people", ".4f"),
        Column("rank by people", "d"),
        Column("itself", ".4f"),
        Column("rank by itself", "d"),
        Column("runs", "d"),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        run = judge_as_run(study, judge)
        if run is None:
            continue
        for at, measure in enumerate(study.measures):
            cells: list[Cell] = []
            for place in (PEOPLE, judge):
                graded = study.judgments(study.grades[place])
                values = graded.values(run, [measure])[:, study.is_judged[place]]
                cells += _among(study, place, at, float(means_of(values)[0]))
            rows.append((measure, study.name(judge), *cells, len(study.runs) + 1))
    notes = ("The judge ranks every scored item of the pool, a place that no run can reach alone.",)
    return Table("judges-as-runs", "Each judge as if it were a run.", columns, tuple(rows), notes)


def _among(study: Study, place: int, at: int, value: float) -> list[Cell]:
    if value != value:
        return [None, None]
    means = dict(zip(study.tags, study.means(place, at).tolist(), strict=True))
    known = {tag: mean for tag, mean in means.items() if mean == mean}
    return [value, run_ranks(known | {"": value})[""]]


def judge_as_run(study: Study, judge: int) -> Retrieved | None:
    """The pool ranked by the judge's raw scores, ties by docno descending; None without raw scores."""
    scores = study.raw_scores[judge]
    pairs = np.flatnonzero(~np.isnan(scores))
    if not pairs.size:
        return None
    by_docno = sorted(pairs.tolist(), key=lambda pair: study.docnos[pair].encode(), reverse=True)
    pairs = np.array(by_docno, dtype=np.int64)
    pairs = pairs[np.lexsort((-scores[pairs], study.topic_of_pair[pairs]))]
    topics = study.topic_of_pair[pairs]
    counts = np.bincount(topics, minlength=len(study.topics))
    return Retrieved(pairs, place_in_topic(topics), counts)
