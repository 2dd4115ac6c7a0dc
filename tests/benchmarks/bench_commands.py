"""`score`, `pool` and `fuse` as fresh commands beside pytrec_eval, plain Python loops and a loop in C.

The sources of trec_eval are taken from the folder in TREC_EVAL; without it, or without a compiler, its rows
are left out.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import polars as pl

from tests.benchmarks.measuring import Cost, Row, fresh_costs, peak_bytes
from tests.benchmarks.peers.tools import MEASURES
from tests.benchmarks.runs import docno_list, write_qrels, write_run

PEERS = Path(__file__).parent / "peers"
SIZE = "16 x 74 x 1,000"
TARGETS = {1: (3, 5), 5: (5, 10)}
ROUNDS = 9
HELP_LIMIT = 0.5  # seconds
OURS = "import sys; from trackside.cli.main import main; sys.exit(main())"
COMMAND = [sys.executable, "-c", OURS]
LARGE = 7000  # topics


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Wall and processor time of one command over all runs, with one and with five sets of qrels."""
    docnos = docno_list(200_000)
    runs = [write_run(folder / f"run{seed}", 74, 1000, docnos, seed) for seed in range(16)]
    qrels = [write_qrels(folder / f"qrels{seed}", 74, docnos, seed) for seed in range(5)]
    built = _built(folder)
    for count, (least, aim) in TARGETS.items():
        commands = {"ours": _ours(runs, qrels[:count]), "pytrec_eval": _pytrec_eval(runs, qrels[:count])}
        commands |= _in_c(built, runs, qrels[:count])
        costs = fresh_costs(commands, ROUNDS)
        what = f"{SIZE} as a fresh command, {count} qrels"
        yield _row(f"{what}, wall", costs, "wall", least, aim)
        yield _row(f"{what}, processor", costs, "cpu", least, aim)
    started = fresh_costs({"help": [*COMMAND, "--help"]}, ROUNDS)["help"]
    yield Row("trackside --help", str(started), f"{HELP_LIMIT:g} s", is_met=started.wall < HELP_LIMIT)
    if not built:
        yield Row("trec_eval -O3 and a loop in C", "left out: no C compiler")
    yield from _beside_loops(folder, runs)
    if is_full:
        yield from _large(folder, docnos, built)


def _beside_loops(folder: Path, runs: list[Path]) -> Iterator[Row]:
    """Processor time of the other commands and of loops that do the same."""
    names = list(map(str, runs))
    pool = ["pool", "--depth", "20", "--out", str(folder / "pool"), *names]
    for what, ours, peer in (
        ("pool", pool, ["pool", "20", *names]),
        ("fusion", ["fuse", *names], ["fuse", *names]),
    ):
        loop = [sys.executable, str(PEERS / "plain_loops.py"), *peer]
        costs = fresh_costs({"ours": [*COMMAND, *ours], "a plain Python loop": loop}, ROUNDS)
        yield _row(f"{what} of {SIZE} as a fresh command, processor", costs, "cpu", 1.5, 3)


def _large(folder: Path, docnos: pl.Series, built: dict[str, Path]) -> Iterator[Row]:
    """Processor time and peak memory of one large run."""
    run = [write_run(folder / "large.run", LARGE, 1000, docnos, 1)]
    qrels = [write_qrels(folder / "large.qrels", LARGE, docnos, 1)]
    commands = {"ours": _ours(run, qrels), "pytrec_eval": _pytrec_eval(run, qrels)}
    what = f"one run of {LARGE:,} x 1,000"
    yield _row(f"{what}, processor", fresh_costs(commands | _in_c(built, run, qrels)), "cpu", 1.5, 2)
    peak = peak_bytes(f"from trackside.cli.main import main\nmain({_ours(run, qrels)[3:]!r})")
    yield Row(f"{what}, peak memory", f"{peak / 1e9:.2f} GB", "1.2 GB", is_met=peak < 1.2e9)


def _row(what: str, costs: dict[str, Cost], field: str, least: float, aim: float) -> Row:
    taken = {name: float(getattr(cost, field)) for name, cost in costs.items()}
    ours, peer, *rest = taken
    row = Row.faster(what, taken[ours], {peer: taken[peer]}, least=least, aim=aim)
    others = [f"{name} {taken[name]:.2f} s" for name in rest]
    return Row(row.what, row.figure, row.target, "; ".join([row.beside, *others]), row.is_met)


def _ours(runs: list[Path], qrels: list[Path]) -> list[str]:
    sets = chain.from_iterable(("--qrels", str(path)) for path in qrels)
    measures = chain.from_iterable(("--measure", name) for name in MEASURES)
    return [*COMMAND, "score", *sets, *measures, *map(str, runs)]


def _pytrec_eval(runs: list[Path], qrels: list[Path]) -> list[str]:
    script = str(PEERS / "pytrec_eval_command.py")
    return [sys.executable, script, str(len(qrels)), *map(str, qrels), *map(str, runs)]


def _in_c(built: dict[str, Path], runs: list[Path], qrels: list[Path]) -> dict[str, list[str]]:
    commands = {}
    if "loop" in built:
        commands["a loop in C"] = [str(built["loop"]), str(len(qrels)), *map(str, [*qrels, *runs])]
    if "trec_eval" in built:
        # trec_eval takes one run and one set of qrels, so a shell starts it for each.
        options = "-m ndcg_cut.10 -m map -m recip_rank -m recall.10,1000"
        calls = [f"'{built['trec_eval']}' {options} '{each}' '{run}'" for run in runs for each in qrels]
        commands["trec_eval -O3"] = ["sh", "-c", "; ".join(calls)]
    return commands


def _built(folder: Path) -> dict[str, Path]:
    """The programs in C that could be compiled."""
    compiler = shutil.which("cc")
    if not compiler:
        return {}
    built = {"loop": folder / "loop"}
    subprocess.run([compiler, "-O3", str(PEERS / "loop.c"), "-o", str(built["loop"])], check=True)
    if source := os.environ.get("TREC_EVAL"):
        copied = shutil.copytree(source, folder / "trec_eval")
        subprocess.run(["make", "-s", "CFLAGS=-O3 -I."], cwd=copied, check=True, capture_output=True)
        built["trec_eval"] = copied / "trec_eval"
    return built
