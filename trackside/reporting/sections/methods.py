"""How sure are the numbers, and how were they made? Runs, pool, costs, cautions, and text for a paper."""

import platform

import numpy as np

from trackside.findings.provenance import PeopleProvenance
from trackside.reporting.design import GradedSet
from trackside.reporting.findings import Findings
from trackside.reporting.sections.costs import costs_table, texts_table
from trackside.reporting.sections.guardrails import collection_cautions, guardrails_table
from trackside.reporting.sections.parts import scaled_scores
from trackside.reporting.sections.pool import (
    left_out_table,
    mean_rows,
    means_figure,
    means_table,
    pool_table,
)
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Column, Section, Table, table_of
from trackside.reporting.views.first_page import front_family
from trackside.text.counted import counted

QRELS = (
    Column("qrels"),
    Column("version", "d"),
    Column("kind"),
    Column("topics", ",d"),
    Column("graded", ",d"),
    Column("gaps", ",d"),
    Column("mapping"),
    Column("scores"),
    Column("lower quartile, scaled", ".2f"),
    Column("median, scaled", ".2f"),
    Column("upper quartile, scaled", ".2f"),
    Column("SHA-256"),
)


def methods_section(study: Study, findings: Findings) -> Section:
    """Sentences that a paper can copy, then cautions; means, pool, costs, texts and qrels as tables."""
    rows = mean_rows(study, findings)
    tables = (
        means_table(findings, rows),
        left_out_table(study),
        pool_table(study),
        costs_table(study),
        texts_table(study),
        guardrails_table(study, findings),
        _qrels(study, findings),
    )
    family = front_family(findings, study.measures[0])
    figures = tuple(means_figure(measure, family, rows) for measure in study.measures)
    says = (
        _collection(study),
        *(_judge(study.sets[judge]) for judge in study.judges),
        _statistics(study),
        *collection_cautions(study, findings),
        *(
            f"{study.name(judge)}: {warning}"
            for judge in study.judges
            for warning in study.sets[judge].judge_provenance.warnings
        ),
    )
    return Section("methods", "How sure and how made", says, tables, figures)


def _collection(study: Study) -> str:
    people = PeopleProvenance.from_json(study.sets[PEOPLE].provenance)
    graded = int((study.grades[PEOPLE] >= 0).sum())
    teams = len({run.team for run in study.runs if run.team})
    by = f" of {counted(teams, 'team')}" if teams else ""
    chosen = f" (chosen: {study.design.chosen})" if study.design.chosen else ""
    assessors = counted(len(people.assessors), "assessor") if people.assessors else "People"
    pools = f" from the pool{'s' * (len(people.pools) > 1)} {', '.join(people.pools)}" if people.pools else ""
    return (
        f"{counted(len(study.runs), 'run')}{by} {'were' if len(study.runs) != 1 else 'was'} evaluated on "
        f"{counted(int(study.is_judged[PEOPLE].sum()), 'topic')}{chosen}.{_pooled(study)} {assessors} "
        f"graded {counted(graded, 'pair')}{pools} ({study.name(PEOPLE)}) as "
        f"{', '.join(map(str, study.design.scale))}; grades from {study.design.level} count as relevant. "
        f"Measures: {', '.join(study.measures)}, as trec_eval computes them with -c."
    )


def _pooled(study: Study) -> str:
    """Sentence on the pool depths of the runs; says that they were inferred if any is unknown."""
    depths = [run.pool_depth for run in study.runs if run.pool_depth is not None]
    if len(depths) < len(study.runs):
        return " The depth of the pools was inferred from the judgments."
    pooled = [depth for depth in depths if depth]
    if not pooled:
        return " None of them was pooled."
    shallowest, deepest = min(pooled), max(pooled)
    how = f"depth {deepest}" if shallowest == deepest else f"depths of {shallowest} to {deepest}"
    unpooled = len(depths) - len(pooled)
    return f" They were pooled to {how}" + (f"; {unpooled} of them were not." if unpooled else ".")


def _judge(judge: GradedSet) -> str:
    facts = judge.judge_provenance
    parts = [f"{judge.name} graded {counted(judge.facts.graded_count, 'pair')}"]
    if facts.backbone:
        revision = f" ({facts.backbone_revision[:12]})" if facts.backbone_revision else ""
        parts.append(f"with {facts.backbone}{revision}")
    if facts.prompt_version:
        parts.append(f"with {facts.prompt_name or 'prompt'}, version {facts.prompt_version}")
    if facts.mapping:
        cuts = ", ".join("none" if cut is None else f"{cut:.4g}" for cut in facts.mapping.thresholds)
        by_cuts = f" (cuts {cuts})" if cuts else ""
        parts.append(f"its raw scores mapped to grades by {facts.mapping.rule}{by_cuts}")
    return "; ".join(parts) + "."


def _statistics(study: Study) -> str:
    design = study.design
    margins = design.margins
    return (
        "A judge is compared with people on the pairs that both graded. The runs are fixed, the topics are "
        "the sample; intervals are 95 % intervals and need ten topics. Orders are compared by Kendall's "
        f"tau-b (interval: t with the spread of {design.replicates:,} resamples of topics, seed "
        f"{design.seed}), pairs of runs by paired t-tests with Holm's correction, grades by Cohen's kappa "
        "(jackknife over topics). A judge is no worse than a second assessor if the one-sided 95 % end of "
        f"the difference in kappa is above −{margins.kappa:g} (tau: −{margins.tau:g}). The excess of a "
        "family is the judge's Relative Delta minus that expected of run-blind judges, whose grades are "
        "shuffled within topic and people's grade (jackknife over topics; margin "
        f"{margins.points:g} points). A favour is shown with the second assessor's grades as instrument for "
        f"people's. Values that differ by less than 1e-9 are ties. numpy {np.__version__}, Python "
        f"{platform.python_version()}."
    )


def _qrels(study: Study, findings: Findings) -> Table:
    notes = (
        "Scaled: on the pairs that people graded; raw scores by their least and most, grades by the "
        "scale's ends.",
    )
    rows = []
    for set_index, facts in enumerate(findings.facts.qrels):
        scores = scaled_scores(study, set_index)
        mapping = study.sets[set_index].judge_provenance.mapping if set_index in study.judges else None
        rows.append(
            (
                facts.name,
                facts.version,
                facts.kind,
                int(study.is_judged[set_index].sum()),
                facts.graded_count,
                facts.pair_count - facts.graded_count,
                mapping.rule if mapping else "",
                "raw" if scores.is_raw else "grades",
                *(scores.quantile(share) for share in (0.25, 0.5, 0.75)),
                facts.sha256,
            )
        )
    return table_of("qrels", "The qrels compared; the first is people's.", QRELS, rows, notes)
