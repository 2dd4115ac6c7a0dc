"""Text for a paper's methods section with the numbers filled in, and the table of qrels."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.tables import Column, Conclusion, Section, Table
from evaluation.core.report.sections.summary.first_figures import listed
from evaluation.core.report.sections.summary.guardrails import EVERY
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.permutation import DRAWS, MOST_EXACT
from evaluation.core.text.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from evaluation.core.report.design import Design, GradedSet
    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study


def methods_section(study: Study, findings: Findings) -> Section:
    """Sentences that a paper can copy; the last ones list the guardrails and their states."""
    says = (
        _collection(study),
        *(_judge(study.sets[judge]) for judge in study.others),
        _statistics(study),
        *_guardrails(findings),
    )
    return Section("methods", "How it was made", says, (_qrels(study),))


def _guardrails(findings: Findings) -> Iterator[str]:
    """A sentence for each guardrail and finding, which names all judges that it holds for."""
    table, judges = findings.table("guardrails"), dict[tuple[str, str], list[str]]()
    for record in table.records() if table else ():
        state = record["state"]
        if isinstance(state, Conclusion):
            words = f"{state.words}; {str(record['what this report found']).rstrip('.')}."
            judges.setdefault((str(record["guardrail"]), words), []).append(str(record["judge"]))
    for (guardrail, words), names in judges.items():
        yield f"Guardrail “{guardrail}”{'' if names == [EVERY] else f', {listed(names)}'}: {words}"


def _collection(study: Study) -> str:
    people, facts = study.sets[PEOPLE], study.sets[PEOPLE].provenance
    graded = int((study.grades[PEOPLE] >= 0).sum())
    teams = len({run.team for run in study.runs if run.team})
    by = f" of {counted(teams, 'team')}" if teams else ""
    topics = int(study.is_judged[PEOPLE].sum())
    assessors = facts.get("assessors") or {}
    who = counted(len(assessors), "assessor") if assessors else "People"
    names = facts.get("pools", ())
    pools = f" from the pool{'s' * (len(names) > 1)} {', '.join(names)}" if names else ""
    return (
        f"{counted(len(study.runs), 'run')}{by} {'were' if len(study.runs) != 1 else 'was'} evaluated on "
        f"{counted(topics, 'topic')}{_chosen(study)}.{_pooled(study)} {who} "
        f"graded {counted(graded, 'item')}{pools} ({people.name}) as "
        f"{', '.join(map(str, study.design.scale))}; grades from {study.design.level} count as relevant. "
        f"Measures: {', '.join(study.measures)}, as trec_eval computes them with -c."
    )


def _chosen(study: Study) -> str:
    return f" (chosen: {study.design.chosen})" if study.design.chosen else ""


def _pooled(study: Study) -> str:
    """Sentence on the pool depths of the runs; says that they were inferred if any is unknown."""
    depths = [run.pool_depth for run in study.runs if run.pool_depth is not None]
    if len(depths) < len(study.runs):
        return " The depth of the pools was inferred from the judgments."
    pooled = [depth for depth in depths if depth]
    if not pooled:
        return " None of them was pooled."
    least, most = min(pooled), max(pooled)
    how = f"depth {most}" if least == most else f"depths of {least} to {most}"
    left = len(depths) - len(pooled)
    return f" They were pooled to {how}" + (f"; {left} of them were not." if left else ".")


def _judge(judge: GradedSet) -> str:
    facts = judge.provenance
    parts = [f"{judge.name} graded {counted(int(judge.facts['graded_count']), 'item')}"]
    if facts.get("backbone"):
        parts.append(f"with {facts['backbone']}{_revision(facts)}")
    if facts.get("prompt_version"):
        name = facts.get("prompt_name") or "prompt"
        parts.append(f"with {name}, version {facts['prompt_version']}")
    mapping = facts.get("mapping") or {}
    if mapping.get("rule"):
        cuts = ", ".join("none" if cut is None else f"{cut:.4g}" for cut in mapping.get("thresholds") or ())
        parts.append(
            f"its raw scores mapped to grades by {mapping['rule']}" + (f" (cuts {cuts})" if cuts else "")
        )
    return "; ".join(parts) + "."


def _revision(facts: Mapping[str, Any]) -> str:
    return f" ({str(facts['backbone_revision'])[:12]})" if facts.get("backbone_revision") else ""


def _statistics(study: Study) -> str:
    design = study.design
    return (
        "Intervals are 95 % intervals; fewer than ten topics give none. Intervals of means, coefficients of "
        "agreement and Relative Delta are for the value on new topics of this kind (Hall's t, jackknife). "
        "Intervals of rank correlations are for the value expected on equally many other topics of this kind "
        f"(t with the spread of {design.replicates:,} resamples, seed {design.seed}). Rankings are "
        "compared by Kendall's tau-b, its p exact without ties. The report declares one family of "
        "hypotheses: that a judge favours a family of runs, by each measure and by the items of the first "
        "ranks. Each is tested against judges with the same confusion matrix that cannot see runs "
        f"({_blind(design)}), over topics by the jackknife and over whole teams by permutation (exact up to "
        f"{MOST_EXACT:,} arrangements, else {DRAWS:,} drawn ones); the larger p counts, corrected by "
        f"Benjamini and Hochberg, at {design.alpha}.{_again(design)} All other p are exploratory, "
        "or corrected within their table where stated. Differences between runs are tested by paired t-tests "
        "with Holm's correction and by randomised Tukey HSD. Values that differ by less than 1e-9 are ties. "
        f"numpy {np.__version__}, Python {platform.python_version()}."
    )


def _again(design: Design) -> str:
    within = (
        " A favour must also hold over topics against such judges drawn within each topic, because a judge's "
        "leniency may differ between topics."
    )
    return (within if design.run_blind != "topic" else "") + (
        ' "Unless people err" means that the favour does not hold in reverse: within the judge\'s grade and '
        "topic, people do not grade the family's first results the other way. A judge that is right where "
        "people err has an excess for better runs, too."
    )


def _blind(design: Design) -> str:
    return "overall" if design.run_blind == "overall" else "within each topic"


def _qrels(study: Study) -> Table:
    columns = (
        Column("qrels"),
        Column("version", "d"),
        Column("kind"),
        Column("topics", ",d"),
        Column("graded", ",d"),
        Column("gaps", ",d"),
        Column("mapping"),
        Column("SHA-256"),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, each in enumerate(study.sets):
        facts = each.facts
        gaps = int(facts["pair_count"]) - int(facts["graded_count"])
        mapping = (each.provenance.get("mapping") or {}).get("rule", "")
        counts = (int(study.is_judged[place].sum()), int(facts["graded_count"]), gaps)
        rows.append(
            (
                each.name,
                facts.get("version"),
                str(facts.get("kind", "")),
                *counts,
                mapping,
                str(facts["sha256"]),
            )
        )
    return Table("qrels", "The qrels compared; the first is the reference.", columns, tuple(rows))
