"""nDCG@10, AP, RR@10, R@10, R@1000 of 16 runs x 74 topics x 1,000 (TREC-AToMiC 2023), beside peers."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.measuring import Row, medians, seconds
from tests.benchmarks.peers import tools
from tests.benchmarks.runs import docno_list, write_qrels, write_run
from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate

SIZE = "16 x 74 x 1,000"
TARGETS = {1: (1.7, 4), 5: (4, 8)}
ROUNDS = 15  # a ratio near its bound: half a second each, and single rounds differ by a fifth


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """From text files and from decoded rankings, with one and with five sets of qrels."""
    docnos = docno_list(200_000)
    runs = [write_run(folder / f"run{seed}", 74, 1000, docnos, seed) for seed in range(16)]
    qrels = [write_qrels(folder / f"qrels{seed}", 74, docnos, seed) for seed in range(5)]
    tools.check_agreement(runs[0], qrels[0])
    yield from _from_text(runs, qrels)
    yield from _from_arrays(runs, qrels)


def _from_text(runs: list[Path], qrels: list[Path]) -> Iterator[Row]:
    for count, (least, aim) in TARGETS.items():
        few = qrels[:count]
        taken = medians({
            "ours": partial(_score, runs, few),
            "pytrec_eval": partial(tools.pytrec_eval_from_text, runs, few),
        })  # fmt: skip
        # These are so much slower that one round is enough. The check of agreement has compiled ranx.
        taken["ir_measures"] = seconds(partial(tools.ir_measures_from_text, runs, few))
        taken["ranx"] = seconds(partial(tools.ranx_from_text, runs, few))
        own = taken.pop("ours")
        yield Row.faster(f"{SIZE} from text, {count} qrels", own, taken, least=least, aim=aim)
    both = medians({str(count): partial(_score, runs, qrels[:count]) for count in TARGETS}, rounds=ROUNDS)
    yield Row.below("five qrels over one, from text", both["5"] / both["1"], 1.3)


def _score(runs: list[Path], qrels: list[Path]) -> None:
    evaluate(
        (Rankings.from_file(run) for run in runs), [Qrels.from_file(each) for each in qrels], tools.MEASURES
    )


def _from_arrays(runs: list[Path], qrels: list[Path]) -> Iterator[Row]:
    decoded = [Rankings.from_file(run) for run in runs]
    sets = [Qrels.from_file(each) for each in qrels]
    dicts, judged = [run.to_dict() for run in decoded], [each.to_dict() for each in sets]
    taken = medians({
        "ours": lambda: evaluate(decoded, sets, tools.MEASURES),
        "pytrec_eval": lambda: tools.pytrec_eval_from_dicts(dicts, judged),
        "ranx, warm": lambda: tools.ranx_from_dicts(dicts, judged),
    })  # fmt: skip
    taken["ir_measures"] = seconds(lambda: tools.ir_measures_from_dicts(dicts, judged))
    own = taken.pop("ours")
    yield Row.faster(f"{SIZE} from decoded arrays (peers: from dicts), 5 qrels", own, taken, least=15, aim=20)
