"""nDCG@10, AP, RR@10, R@10, R@1000 of 16 runs x 74 topics x 1,000 (TREC-AToMiC 2023), beside peers."""

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytrec_eval

from evaluation.core.measures import evaluate
from evaluation.core.trec_files import Qrels, Rankings
from tests.benchmarks.measuring import Row, medians
from tests.benchmarks.runs import docno_list, write_qrels, write_run

MEASURES = ("nDCG@10", "AP", "RR@10", "R@10", "R@1000")
PEER_MEASURES = {"ndcg_cut.10", "map", "recip_rank", "recall.10,1000"}


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """From text files and from decoded rankings, with one and with five sets of qrels."""
    docnos = docno_list(200_000)
    runs = [write_run(folder / f"run{seed}", 74, 1000, docnos, seed) for seed in range(16)]
    qrels = [write_qrels(folder / f"qrels{seed}", 74, docnos, seed) for seed in range(5)]
    yield from _from_text(runs, qrels, with_slow=is_full)
    yield from _from_arrays(runs, qrels, with_slow=is_full)


def _from_text(runs: list[Path], qrels: list[Path], *, with_slow: bool) -> Iterator[Row]:
    def ours(count: int) -> Callable[[], object]:
        return lambda: evaluate(
            (Rankings.from_file(run) for run in runs),
            [Qrels.from_file(each) for each in qrels[:count]],
            MEASURES,
        )

    tasks: dict[str, Callable[[], object]] = {"ours 1": ours(1), "ours 5": ours(5)}
    tasks["pytrec_eval 1"] = lambda: _pytrec_text(runs, qrels[:1])
    tasks["pytrec_eval 5"] = lambda: _pytrec_text(runs, qrels)
    taken = medians(tasks)
    if with_slow and importlib.util.find_spec("ir_measures"):
        # Far behind, so one round is enough.
        taken |= medians({"ir_measures 1": lambda: _ir_measures(runs, qrels[:1])}, rounds=1)
    for count, target in ((1, "1.7x (aim 4x)"), (5, "4x (aim 8x)")):
        peers = {name: each for name, each in taken.items() if name.endswith(f" {count}")}
        own = peers.pop(f"ours {count}")
        name = min(peers, key=lambda peer: peers[peer])
        yield Row(
            f"16 x 74 x 1,000 from text, {count} qrels, {own:.2f} s",
            f"{peers[name] / own:.1f}x",
            target,
            ", ".join(f"{peer} {each:.2f} s" for peer, each in peers.items()),
        )
    yield Row("five qrels over one, from text", f"{taken['ours 5'] / taken['ours 1']:.2f}x", "under 1.3x")


def _from_arrays(runs: list[Path], qrels: list[Path], *, with_slow: bool) -> Iterator[Row]:
    decoded = [Rankings.from_file(run) for run in runs]
    sets = [Qrels.from_file(each) for each in qrels]
    as_dicts = [run.to_dict() for run in decoded]
    judges = [pytrec_eval.RelevanceEvaluator(each.to_dict(), PEER_MEASURES) for each in sets]
    tasks: dict[str, Callable[[], object]] = {
        "ours": lambda: evaluate(decoded, sets, MEASURES),
        "pytrec_eval from dicts": lambda: [judge.evaluate(run) for judge in judges for run in as_dicts],
    }
    if with_slow:
        tasks["ranx from dicts, warm"] = _ranx(as_dicts, sets)
    taken = medians(tasks, rounds=3)
    name = min((peer for peer in taken if peer != "ours"), key=lambda peer: taken[peer])
    yield Row(
        f"16 x 74 x 1,000 from decoded arrays, 5 qrels, {taken['ours']:.3f} s",
        f"{taken[name] / taken['ours']:.1f}x",
        "15x (aim 20x)",
        ", ".join(f"{peer} {each:.2f} s" for peer, each in taken.items() if peer != "ours"),
    )
    packed = [list(run.packed()) for run in decoded]
    decode = medians({"decode": lambda: [Rankings.from_packed(run) for run in packed]}, rounds=3)["decode"]
    yield Row("decoding the 16 runs as the database keeps them", f"{decode:.3f} s")


def _pytrec_text(runs: list[Path], qrels: list[Path]) -> None:
    judges = []
    for path in qrels:
        with path.open() as lines:
            judges.append(pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), PEER_MEASURES))
    for path in runs:
        with path.open() as lines:
            run = pytrec_eval.parse_run(lines)
        for judge in judges:
            judge.evaluate(run)


def _ir_measures(runs: list[Path], qrels: list[Path]) -> None:
    ir_measures = importlib.import_module("ir_measures")

    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    for judged in qrels:
        judge = ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(str(judged))))
        for run in runs:
            judge.calc_aggregate(ir_measures.read_trec_run(str(run)))


def _ranx(runs: list[dict[str, dict[str, float]]], sets: list[Qrels]) -> Callable[[], object]:
    ranx = importlib.import_module("ranx")

    judged = [ranx.Qrels(each.to_dict()) for each in sets]
    names = ["ndcg@10", "map", "mrr@10", "recall@10", "recall@1000"]
    return lambda: [
        ranx.evaluate(each, ranx.Run(run), names, make_comparable=True) for each in judged for run in runs
    ]
