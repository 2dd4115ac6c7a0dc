"""Costs of the judges, and the share of their texts that they read. An unknown number is a dash, never 0."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.core.findings.provenance import FieldSeen, TextsSeen, Work
from evaluation.core.report.study import Study
from evaluation.core.report.tables import Column, Table, View, table_of

MICRO = 1_000_000  # of a unit of money
THOUSAND = 1_000  # pairs
HOUR, MINUTE = 3_600, 60


@dataclass(frozen=True, slots=True)
class CostRow:
    """The work of one judge's job."""

    judge: str
    work: Work

    @property
    def cost(self) -> float | None:
        """The job's cost in its currency."""
        return None if self.work.cost_micros is None else self.work.cost_micros / MICRO

    @property
    def tokens(self) -> int | None:
        """Tokens in and out."""
        tokens = self.work.input_tokens, self.work.output_tokens
        return None if tokens[0] is None or tokens[1] is None else tokens[0] + tokens[1]

    def for_thousand(self, amount: float | None) -> float | None:
        """An amount for 1,000 of the pairs that were sent, or of all pairs without requests."""
        pairs = self.work.pair_count if self.work.asked_count is None else self.work.asked_count
        return None if amount is None or not pairs else THOUSAND * amount / pairs

    def over(self, seconds: float | None, unit: int) -> float | None:
        """Seconds in a longer unit."""
        return None if seconds is None else seconds / unit


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of the texts that a judge read."""

    judge: str
    texts: TextsSeen
    field: FieldSeen


COSTS: tuple[View[CostRow], ...] = (
    View(Column("judge"), lambda row: row.judge),
    View(Column("pairs", ",d"), lambda row: row.work.pair_count),
    View(Column("asked", ",d"), lambda row: row.work.asked_count),
    View(Column("requests", ",d"), lambda row: row.work.request_count),
    View(Column("tokens in", ",d"), lambda row: row.work.input_tokens),
    View(Column("tokens out", ",d"), lambda row: row.work.output_tokens),
    View(Column("cost", ",.2f"), lambda row: row.cost),
    View(Column("currency"), lambda row: row.work.currency or ""),
    View(Column("hours", ",.2f"), lambda row: row.over(row.work.duration_seconds, HOUR)),
    View(Column("hours of answering", ",.2f"), lambda row: row.over(row.work.latency_seconds, HOUR)),
    View(Column("cost, 1,000 pairs", ",.3f"), lambda row: row.for_thousand(row.cost)),
    View(Column("tokens, 1,000 pairs", ",.0f"), lambda row: row.for_thousand(row.tokens)),
    View(
        Column("minutes, 1,000 pairs", ",.1f"),
        lambda row: row.for_thousand(row.over(row.work.duration_seconds, MINUTE)),
    ),
)
TEXTS: tuple[View[FieldRow], ...] = (
    View(Column("judge"), lambda row: row.judge),
    View(Column("texts", ",d"), lambda row: row.texts.count),
    View(Column("cut", ",d"), lambda row: row.texts.cut_count),
    View(Column("field"), lambda row: row.field.field),
    View(Column("texts with it", ",d"), lambda row: row.field.texts),
    View(Column("tokens", ",d"), lambda row: row.field.tokens),
    View(Column("tokens read", ".0%"), lambda row: row.field.share),
    View(Column("never read", ",d"), lambda row: row.field.never_seen_count),
)


def costs_table(study: Study) -> Table:
    """A row for each judge whose qrels record the work of their job."""
    notes = (
        "Amounts for 1,000 pairs count the pairs that this job sent to the model, or all pairs for judges "
        "that send no requests. Hours: from the first shard to the end of the job, with pauses. Answers "
        "stored by an earlier job cost nothing. A dash means unknown.",
    )
    return table_of("costs", "Costs of the judges.", COSTS, _costs(study), notes)


def texts_table(study: Study) -> Table:
    """A row for each judge and text field."""
    notes = ("Never read: texts with the field, but no token of it read.",)
    return table_of("texts-read", "Share of their texts that the judges read.", TEXTS, _texts(study), notes)


def _costs(study: Study) -> Iterator[CostRow]:
    for judge in study.judges:
        work = study.sets[judge].judge_provenance.work
        if work:
            yield CostRow(study.name(judge), work)


def _texts(study: Study) -> Iterator[FieldRow]:
    for judge in study.judges:
        texts = study.sets[judge].judge_provenance.texts
        for field in texts.fields if texts else ():
            if texts:
                yield FieldRow(study.name(judge), texts, field)
