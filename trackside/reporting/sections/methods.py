"""How sure are the numbers, and how were they made? Runs, pool, costs, cautions, and text for a paper."""

import platform
from collections.abc import Iterator

import numpy as np

from trackside.findings.provenance import PeopleProvenance, Work
from trackside.reporting.design import GradedSet
from trackside.reporting.findings import Findings
from trackside.reporting.sections.guardrails import collection_cautions, guardrails_table
from trackside.reporting.sections.parts import scaled_scores
from trackside.reporting.sections.pool import (
    left_out_table,
    mean_rows,
    means_figure,
    means_table,
    pool_table,
)
from trackside.reporting.sections.seen import seen_says
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Cell, Column, Section, Table, table_of
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
    family = next(iter(study.families), None)
    figures = tuple(means_figure(measure, family, rows) for measure in study.measures)
    says = (
        _collection(study),
        *_excluded(study),
        *_nominal(study),
        *(_judge(study.sets[judge]) for judge in study.judges),
        *seen_says(study),
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


def _excluded(study: Study) -> Iterator[str]:
    """Sentences on judgments that do not count, one for each statement of the organizers."""
    for row in PeopleProvenance.from_json(study.sets[PEOPLE].provenance).excluded:
        topic = f" on topic {row.topic}" if row.topic else ""
        times = "".join(
            f" {word} {moment}" for word, moment in (("from", row.since), ("before", row.until)) if moment
        )
        verb = "does" if row.count == 1 else "do"
        judgments = counted(row.count, "judgment")
        yield f"{judgments} of assessor {row.assessor}{topic}{times} {verb} not count: {row.reason}"


def _nominal(study: Study) -> Iterator[str]:
    """Sentence on the pairs that people answered beside the grades, if there are any."""
    people = PeopleProvenance.from_json(study.sets[PEOPLE].provenance)
    if count := sum(people.nominal.values()):
        pairs, topics = counted(count, "pair"), counted(len(people.nominal), "topic")
        verb = "is" if count == 1 else "are"
        yield f"People answered “{people.nominal_name}” to {pairs} of {topics}, which {verb} in no qrels."


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
        "(jackknife over topics). A use is as people do within its margin, and not beyond it, where an "
        f"interval shows it: tau {margins.order:g}, the best run {margins.best:g}, families "
        f"{margins.points:g} points, {margins.rate:g} of a gain, or below the second assessor by at most "
        f"{margins.tau:g} in tau, {margins.second_rate:g} of a gain, {margins.kappa:g} in kappa. An order is "
        "related to people's if the covariance of the means exceeds that of 195 of 199 shuffles of the "
        "judge's grades within topics. The excess of a family is the judge's "
        "Relative Delta minus that expected of run-blind judges, whose grades are shuffled within topic and "
        "people's grade (jackknife over topics). How far people and the second assessor would both have to "
        "grade too low for it to be no favour follows from each one's grades as instrument for the other's. "
        "Values "
        f"that differ by less than 1e-9 are ties. numpy {np.__version__}, Python {platform.python_version()}."
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


MICRO = 1_000_000  # of a unit of money
THOUSAND = 1_000  # pairs
HOUR, MINUTE = 3_600, 60

COSTS = (
    Column("judge"),
    Column("pairs", ",d"),
    Column("asked", ",d"),
    Column("requests", ",d"),
    Column("tokens in", ",d"),
    Column("tokens out", ",d"),
    Column("cost", ",.2f"),
    Column("currency"),
    Column("hours", ",.2f"),
    Column("hours of answering", ",.2f"),
    Column("cost, 1,000 pairs", ",.3f"),
    Column("tokens, 1,000 pairs", ",.0f"),
    Column("minutes, 1,000 pairs", ",.1f"),
)
TEXTS = (
    Column("judge"),
    Column("texts", ",d"),
    Column("cut", ",d"),
    Column("field"),
    Column("texts with it", ",d"),
    Column("tokens", ",d"),
    Column("tokens read", ".0%"),
    Column("never read", ",d"),
)


def costs_table(study: Study) -> Table:
    """A row for each judge whose qrels record the work of their job."""
    notes = (
        "Amounts for 1,000 pairs count the pairs that this job sent to the model, or all pairs for judges "
        "that send no requests. Hours: from the first shard to the end of the job, with pauses. Answers "
        "stored by an earlier job cost nothing. A dash means unknown.",
    )
    works = ((study.name(judge), study.sets[judge].judge_provenance.work) for judge in study.judges)
    rows = ((name, *_costs(work)) for name, work in works if work)
    return table_of("costs", "Costs of the judges.", COSTS, rows, notes)


def _costs(work: Work) -> tuple[Cell, ...]:
    cost, tokens = _over(work.cost_micros, MICRO), (work.input_tokens, work.output_tokens)
    thousands = _over(work.pair_count if work.asked_count is None else work.asked_count, THOUSAND)
    return (
        work.pair_count,
        work.asked_count,
        work.request_count,
        *tokens,
        cost,
        work.currency or "",
        _over(work.duration_seconds, HOUR),
        _over(work.latency_seconds, HOUR),
        _over(cost, thousands),
        _over(None if None in tokens else sum(token or 0 for token in tokens), thousands),
        _over(_over(work.duration_seconds, MINUTE), thousands),
    )


def _over(amount: float | None, unit: float | None) -> float | None:
    return None if amount is None or not unit else amount / unit


def texts_table(study: Study) -> Table:
    """A row for each judge and text field."""
    texts = ((study.name(judge), study.sets[judge].judge_provenance.texts) for judge in study.judges)
    rows = (
        (
            name,
            seen.count,
            seen.cut_count,
            field.field,
            field.texts,
            field.tokens,
            field.share,
            field.never_seen_count,
        )
        for name, seen in texts
        if seen
        for field in seen.fields
    )
    notes = ("Never read: texts with the field, but no token of it read.",)
    return table_of("texts-read", "Share of their texts that the judges read.", TEXTS, rows, notes)
