"""Costs of the judges in money, time and tokens, and the share of their texts that they read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.core.report.tables import Column, Number, Section, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

MICRO = 1_000_000  # of a unit of money
THOUSAND = 1_000  # pairs
POINT = 0.01  # of tau

COSTS = (
    Column("judge"),
    Column("pairs", ",d"),
    Column("asked", ",d"),
    Column("requests", ",d"),
    Column("tokens in", ",d"),
    Column("tokens out", ",d"),
    Column("cost", ",.2f"),
    Column("currency"),
    Column("hours", ",.2f", estimand="first shard to end of job, with pauses"),
    Column("hours of answering", ",.2f", estimand="sum of the answers' times"),
    Column("cost, 1,000 pairs", ",.3f"),
    Column("tokens, 1,000 pairs", ",.0f"),
    Column("minutes, 1,000 pairs", ",.1f"),
)
OF_TAU = (
    Column("measure"),
    Column("judge"),
    Column("tau", "z.2f"),
    Column("currency"),
    Column("cost, 1,000 pairs", ",.3f"),
    Column("cost, 1,000 pairs and point of tau", ",.5f"),
    Column("minutes, 1,000 pairs and point of tau", ",.3f"),
)
TEXTS = (
    Column("judge"),
    Column("texts", ",d"),
    Column("cut", ",d"),
    Column("field"),
    Column("texts with it", ",d"),
    Column("tokens", ",d"),
    Column("tokens read", ".0%"),
    Column("never read", ",d", estimand="texts with the field, but no token of it read"),
)


def costs_section(study: Study, findings: Findings) -> Section:
    """Tables of costs; empty if the qrels record none. Every unknown number is a dash, never 0."""
    costs = Table("costs", "Costs of the judges.", COSTS, tuple(_costs(study)), _notes())
    texts = Table("texts-read", "Share of their texts that the judges read.", TEXTS, tuple(_texts(study)))
    tables = (costs, _of_tau(study, findings, costs), texts)
    return Section("costs", "Costs, and what was read", tuple(_says(study, costs, texts)), tables)


def _notes() -> tuple[str, ...]:
    return (
        "Money, tokens and minutes for 1,000 pairs count the pairs that this job sent to the model, or all "
        "pairs for judges that send no requests. Answers stored by an earlier job cost nothing. A dash means "
        "unknown.",
    )


def _costs(study: Study) -> Iterator[tuple[Cell, ...]]:
    for judge in study.others:
        work = _work(study.sets[judge].provenance)
        if work:
            yield (study.name(judge), *_cost_cells(work))


def _work(provenance: Mapping[str, Any]) -> Mapping[str, Any]:
    found = provenance.get("work")
    return found if isinstance(found, dict) else {}


def _cost_cells(work: Mapping[str, Any]) -> tuple[Cell, ...]:
    asked = work.get("asked_count")
    pairs = work.get("pair_count") if asked is None else asked
    money, tokens = _over(work.get("cost_micros"), MICRO), _sum(work, "input_tokens", "output_tokens")
    hours = _over(work.get("duration_seconds"), 3600)
    return (
        work.get("pair_count"),
        asked,
        work.get("request_count"),
        work.get("input_tokens"),
        work.get("output_tokens"),
        money,
        work.get("currency") or "",
        hours,
        _over(work.get("latency_seconds"), 3600),
        _for_thousand(money, pairs),
        _for_thousand(tokens, pairs),
        _for_thousand(None if hours is None else 60 * hours, pairs),
    )


def _over(value: float | None, unit: float) -> float | None:
    return None if value is None else value / unit


def _sum(work: Mapping[str, Any], *names: str) -> float | None:
    found = [work.get(name) for name in names]
    return None if None in found else float(sum(each for each in found if each is not None))


def _for_thousand(value: float | None, pairs: int | None) -> float | None:
    return None if value is None or not pairs else THOUSAND * value / pairs


def _of_tau(study: Study, findings: Findings, costs: Table) -> Table:
    """Rows of the judges with known costs, with their tau from the table of orders."""
    orders = findings.table("order")
    rows: list[tuple[Cell, ...]] = []
    for measure in study.measures:
        for record in costs.records():
            order = orders.record(measure=measure, judge=str(record["judge"])) if orders else None
            tau = order["tau"] if order else None
            money, minutes = record["cost, 1,000 pairs"], record["minutes, 1,000 pairs"]
            shares = _of_point(money, tau), _of_point(minutes, tau)
            rows.append((measure, record["judge"], _plain(tau), record["currency"], money, *shares))
    notes = (
        "A point of tau is 0.01 of tau with people; it has no cost for a judge with a tau of 0 or less. "
        "Compare judges by it only on the same pairs and runs.",
    )
    return Table("cost-of-tau", "Cost of a point of tau.", OF_TAU, tuple(rows), notes)


def _plain(tau: Cell) -> Cell:
    return Number(tau.value, tau.reason) if isinstance(tau, Number) else tau


def _of_point(value: Cell, tau: Cell) -> float | None:
    if not isinstance(value, float) or not isinstance(tau, Number) or not tau.value or tau.value < 0:
        return None
    return value * POINT / tau.value


def _texts(study: Study) -> Iterator[tuple[Cell, ...]]:
    for judge in study.others:
        texts = study.sets[judge].provenance.get("texts")
        if not isinstance(texts, dict):
            continue
        for field in texts["fields"]:
            tokens, seen = field["tokens"], field["seen_tokens"]
            share = seen / tokens if tokens and seen is not None else None
            about = study.name(judge), texts["count"], texts["cut_count"], field["field"], field["texts"]
            yield (*about, tokens, share, field["never_seen_count"])


def _says(study: Study, costs: Table, texts: Table) -> Iterator[str]:
    if not costs.rows:
        yield "The qrels do not record the costs of the judges."
    if not texts.rows:
        yield "The qrels do not record how much of their texts the judges read."
    for judge in study.others:
        for warning in study.sets[judge].provenance.get("warnings") or ():
            yield f"{study.name(judge)}: {warning}"
