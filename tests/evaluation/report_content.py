"""The content and the body of a stored report, as small as it can be with a figure in every place."""

from typing import Any

from evaluation.core.estimate import Reason
from evaluation.core.report.content import Column, Figure, Number, Report, Section, Table
from evaluation.core.report.stored import to_json
from evaluation.models import QrelsKind

PEOPLE = {"clip-a": 0.5, "clip-b": 0.25, "bm25": 0.75}
MODEL = {"clip-a": 0.6, "clip-b": 0.5, "bm25": None}


def _estimate(value: float | None, reason: str | None = None) -> dict[str, Any]:
    return {"value": value, "reason": reason}


def _bias(points: float) -> dict[str, Any]:
    return {
        "delta": _estimate(10.0),
        "reference_delta": _estimate(10.0 - points),
        "bias": _estimate(points),
        "p": _estimate(0.333),
        "arrangements": 3,
        "is_exact": True,
    }


def _qrels(name: str, kind: QrelsKind) -> dict[str, Any]:
    return {
        "name": name,
        "version": 1,
        "kind": kind.value,
        "sha256": "ab" * 32,
        "topic_count": 12,
        "pair_count": 40,
        "graded_count": 38,
        "gap_count": 2,
        "provenance": {"mapping": {"rule": "paper-2024"}} if kind == QrelsKind.MODEL else {},
    }


def report_content() -> dict[str, Any]:
    """People and one model on three runs: one of them without a value under the model."""
    judge = _qrels("clipscore", QrelsKind.MODEL) | {
        "shared_topic_count": 12,
        "shared_pair_count": 38,
        "means": {"nDCG@10": MODEL, "AP": dict.fromkeys(PEOPLE, 0.125)},
        "reference_means": {"nDCG@10": PEOPLE, "AP": PEOPLE},
        "correlation": {
            "nDCG@10": {name: _estimate(0.81) for name in ("kendall", "spearman", "pearson")},
            "AP": {name: _estimate(None, "constant") for name in ("kendall", "spearman", "pearson")},
        },
        "kappa": _estimate(0.31),
        "kappa_max": _estimate(0.64),
        "bias": {name: {"CLIP-based": _bias(21.2), "lexical": _bias(-21.2)} for name in ("nDCG@10", "AP")},
    }
    return {
        "scale": [0, 1, 2],
        "level": 1,
        "seed": None,
        "measures": ["nDCG@10", "AP"],
        "families": ["CLIP-based", "lexical"],
        "runs": [
            {"tag": tag, "team": "Kestrel", "families": ["CLIP-based" if "clip" in tag else "lexical"]}
            for tag in PEOPLE
        ],
        "reference": _qrels("people", QrelsKind.HUMAN),
        "reference_means": {"nDCG@10": PEOPLE, "AP": PEOPLE},
        "others": [judge],
    }


def report_body() -> dict[str, Any]:
    """Two sections: one with a figure for one measure, one whose only table is of one family."""
    order = Table(
        "order",
        "Order.",
        (Column("measure"), Column("judge"), Column("tau", ".2f", has_interval=True)),
        (
            ("nDCG@10", "clipscore", Number(0.81, None, 0.6, 0.92)),
            ("AP", "clipscore", Number(None, Reason.CONSTANT)),
        ),
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 9 9" role="img" '
        'aria-labelledby="ranks-title"><title id="ranks-title">Ranks</title></svg>'
    )
    figure = Figure("ranks-ndcg-10", "Ranks", "By mean nDCG@10.", svg, "order", "nDCG@10", is_wide=True)
    bias = Table(
        "bias",
        "Bias.",
        (Column("judge"), Column("family"), Column("points", "+.1f")),
        (("clipscore", "lexical", -21.2),),
        ("What bias is.",),
    )
    methods = Section("methods", "How it was made", ("Three runs were evaluated.",))
    facts = {
        "basis": f"Qrels by SHA-256: people {'ab' * 6}.",
        "measures": ["nDCG@10", "AP"],
        "families": ["lexical"],
    }
    sections = (
        Section("order", "Order of the runs", ("Three runs are few.",), (order,), (figure,)),
        Section("bias", "Evaluation bias", (), (bias,)),
        methods,
    )
    return to_json(Report(facts, sections))
