"""Costs of the judges, and the share of their texts that they read. An unknown number is a dash, never 0."""

from trackside.findings.provenance import Work
from trackside.reporting.study import Study
from trackside.reporting.tables import Cell, Column, Table, table_of

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
