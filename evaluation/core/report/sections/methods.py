"""A text for a paper's methods section with the numbers filled in, and the table of qrels."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.permutation import MOST_EXACT
from evaluation.core.report.content import Column, Section, Table
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from evaluation.core.report.content import Cell
    from evaluation.core.report.design import GradedSet
    from evaluation.core.report.study import Study


def methods_section(study: Study) -> Section:
    """Sentences that can be taken as they stand."""
    says = (_collection(study), *(_judge(study.sets[judge]) for judge in study.others), _statistics(study))
    return Section("methods", "How it was made", says, (_qrels(study),))


def _collection(study: Study) -> str:
    people, facts = study.sets[PEOPLE], study.sets[PEOPLE].provenance
    graded = int((study.grades[PEOPLE] >= 0).sum())
    teams = len({run.team for run in study.runs if run.team})
    by = f" of {teams} teams" if teams else ""
    assessors = facts.get("assessors") or {}
    who = f"{len(assessors)} assessors" if assessors else "People"
    pools = f" from the pools {', '.join(facts['pools'])}" if facts.get("pools") else ""
    return (
        f"{len(study.runs)} runs{by} were evaluated on {int(study.is_judged[PEOPLE].sum())} topics"
        f"{_chosen(study)}.{_pooled(study)} {who} "
        f"graded {graded:,} items{pools} ({people.name}) as {', '.join(map(str, study.design.scale))}; "
        f"grades from {study.design.level} count as relevant. Measures: {', '.join(study.measures)}, as "
        "trec_eval computes them with -c."
    )


def _chosen(study: Study) -> str:
    return f" (chosen: {study.design.chosen})" if study.design.chosen else ""


def _pooled(study: Study) -> str:
    """How deep the runs went into the pools, where somebody says it of all of them."""
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
    told = judge.provenance
    parts = [f"{judge.name} graded {int(judge.facts['graded_count']):,} items"]
    if told.get("backbone"):
        parts.append(f"with {told['backbone']}{_revision(told)}")
    if told.get("prompt_version"):
        name = told.get("prompt_name") or "prompt"
        parts.append(f"with {name}, version {told['prompt_version']}")
    mapping = told.get("mapping") or {}
    if mapping.get("rule"):
        cuts = ", ".join("none" if cut is None else f"{cut:.4g}" for cut in mapping.get("thresholds") or ())
        parts.append(
            f"its raw scores mapped to grades by {mapping['rule']}" + (f" (cuts {cuts})" if cuts else "")
        )
    return "; ".join(parts) + "."


def _revision(told: Mapping[str, Any]) -> str:
    return f" ({str(told['backbone_revision'])[:12]})" if told.get("backbone_revision") else ""


def _statistics(study: Study) -> str:
    design = study.design
    return (
        f"Intervals are 95 % percentile bootstrap intervals over topics ({design.replicates:,} resamples, "
        f"seed {design.seed}). Rankings are compared by Kendall's tau-b, its p exact without ties; "
        f"bias is tested by exact permutation of runs up to {MOST_EXACT:,} arrangements, else by 20,000 "
        "drawn ones. Differences between runs are tested by paired t-tests with Holm's correction and by "
        f"randomised Tukey HSD, at {design.alpha}. Values nearer than 1e-9 are ties. numpy {np.__version__}, "
        f"Python {platform.python_version()}."
    )


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
    return Table("qrels", "The qrels compared; the first is the yardstick.", columns, tuple(rows))
