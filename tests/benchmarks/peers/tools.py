"""What other tools need for the same work: pytrec_eval-terrier, ir_measures and ranx."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytrec_eval

from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate

MEASURES = ("nDCG@10", "AP", "RR@10", "R@10", "R@1000")
TREC_MEASURES = {"ndcg_cut.10", "map", "recip_rank", "recall.10,1000"}
RANX_MEASURES = ["ndcg@10", "map", "mrr@10", "recall@10", "recall@1000"]

Runs = list[dict[str, dict[str, float]]]
Judged = list[dict[str, dict[str, int]]]


class PeersDisagree(Exception):
    """A peer gives other values than we do, so its time cannot be compared."""


def check_agreement(run: Path, qrels: Path) -> None:
    """Raises PeersDisagree unless all tools find the same mean nDCG@10 and AP."""
    ours = evaluate([Rankings.from_file(run)], Qrels.from_file(qrels), ["nDCG@10", "AP"]).means()[0, 0]
    scores, judged = Rankings.from_file(run).to_dict(), Qrels.from_file(qrels).to_dict()
    by_topic = pytrec_eval.RelevanceEvaluator(judged, TREC_MEASURES).evaluate(scores).values()
    theirs = {
        "pytrec_eval": [
            sum(each[name] for each in by_topic) / len(judged) for name in ("ndcg_cut_10", "map")
        ],
        "ir_measures": list(_aggregates(scores, judged, ["nDCG@10", "AP"]).values()),
        "ranx": list(_ranx(scores, judged, ["ndcg@10", "map"]).values()),
    }
    for name, values in theirs.items():
        if any(abs(one - other) > 1e-6 for one, other in zip(ours, values, strict=True)):
            raise PeersDisagree(f"{name}: {values}, ours {ours.tolist()}")


def pytrec_eval_from_text(runs: list[Path], qrels: list[Path]) -> None:
    judges = []
    for path in qrels:
        with path.open() as lines:
            judges.append(pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), TREC_MEASURES))
    for path in runs:
        with path.open() as lines:
            run = pytrec_eval.parse_run(lines)
        for judge in judges:
            judge.evaluate(run)


def pytrec_eval_from_dicts(runs: Runs, qrels: Judged) -> None:
    for judged in qrels:
        judge = pytrec_eval.RelevanceEvaluator(judged, TREC_MEASURES)
        for run in runs:
            judge.evaluate(run)


def ir_measures_from_text(runs: list[Path], qrels: list[Path]) -> None:
    ir_measures = importlib.import_module("ir_measures")
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    judges = [ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(str(path)))) for path in qrels]
    for path in runs:
        run = list(ir_measures.read_trec_run(str(path)))
        for judge in judges:
            judge.calc_aggregate(run)


def ir_measures_from_dicts(runs: Runs, qrels: Judged) -> None:
    for judged in qrels:
        for run in runs:
            _aggregates(run, judged, MEASURES)


def ranx_from_text(runs: list[Path], qrels: list[Path]) -> None:
    ranx = importlib.import_module("ranx")
    judged = [ranx.Qrels.from_file(str(path), kind="trec") for path in qrels]
    for path in runs:
        run = ranx.Run.from_file(str(path), kind="trec")
        for each in judged:
            ranx.evaluate(each, run, RANX_MEASURES, make_comparable=True)


def ranx_from_dicts(runs: Runs, qrels: Judged) -> None:
    ranx = importlib.import_module("ranx")
    read = [ranx.Run(run) for run in runs]
    for judged in qrels:
        each = ranx.Qrels(judged)
        for run in read:
            ranx.evaluate(each, run, RANX_MEASURES, make_comparable=True)


def _aggregates(
    run: Mapping[str, Any], judged: Mapping[str, Any], names: tuple[str, ...] | list[str]
) -> dict[Any, float]:
    ir_measures = importlib.import_module("ir_measures")
    measures = [ir_measures.parse_measure(name) for name in names]
    found = ir_measures.calc_aggregate(measures, judged, run)
    return {measure: found[measure] for measure in measures}


def _ranx(run: Mapping[str, Any], judged: Mapping[str, Any], names: list[str]) -> dict[str, float]:
    ranx = importlib.import_module("ranx")
    found: dict[str, float] = ranx.evaluate(ranx.Qrels(judged), ranx.Run(run), names, make_comparable=True)
    return found
