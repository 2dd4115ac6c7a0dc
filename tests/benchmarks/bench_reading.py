"""Reading runs: time a million lines, tidy and untidy, peak memory, growth with size."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evaluation.core.trec_files import Rankings
from tests.benchmarks.measuring import Row, medians, peak_bytes
from tests.benchmarks.runs import docno_list, write_qrels, write_run

READ = "from evaluation.core.trec_files import Rankings; Rankings.from_file({!r})"
SCORE = (
    "import glob\nfrom evaluation.core.trec_files import Rankings, Qrels\n"
    "from evaluation.core.measures import evaluate\n"
    "evaluate((Rankings.from_file(run) for run in sorted(glob.glob({!r}))), Qrels.from_file({!r}),"
    " ['nDCG@10', 'AP', 'RR@10', 'R@10', 'R@1000'])"
)


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """The three sizes that are to be held; the two large ones with --full."""
    docnos = docno_list(200_000)
    small, large = (write_run(folder / f"{count}.run", count, 1000, docnos, 1) for count in (74, 740))
    untidy = folder / "untidy.run"
    untidy.write_bytes(small.read_bytes().replace(b" Q0 ", b"\t Q0  "))
    taken = medians({"small": lambda: Rankings.from_file(small), "large": lambda: Rankings.from_file(large),
                     "untidy": lambda: Rankings.from_file(untidy)})  # fmt: skip
    yield Row("reading a million lines, one separator", f"{taken['large'] / 0.74:.2f} s")
    yield Row("reading a million lines, blanks and tabs mixed", f"{taken['untidy'] / 0.074:.2f} s")
    yield Row("ten times the lines", f"{taken['large'] / taken['small']:.1f}x the time", "linear")
    if is_full:
        yield from _large(folder, docnos)


def _large(folder: Path, names: pl.Series) -> Iterator[Row]:
    idle = peak_bytes("import evaluation.core.trec_files, evaluation.core.measures")
    validation = write_run(folder / "validation.run", 17_173, 1000, names, 1)
    size = validation.stat().st_size
    yield _memory(
        f"17,173 x 1,000 read ({size / 1e9:.2f} GB)", peak_bytes(READ.format(str(validation))), size, idle
    )
    validation.unlink()
    (folder / "many").mkdir()
    for seed in range(100):
        write_run(folder / "many" / f"{seed:03d}", 200, 1000, names, seed)
    qrels = write_qrels(folder / "qrels", 200, names, 1)
    size = sum(path.stat().st_size for path in (folder / "many").iterdir())
    code = SCORE.format(str(folder / "many" / "*"), str(qrels))
    taken = medians({"score": lambda: peak_bytes(code)}, rounds=1)["score"]
    yield Row(f"100 x 200 x 1,000 scored ({size / 1e9:.2f} GB), whole process", f"{taken:.1f} s")
    yield _memory("100 x 200 x 1,000 scored", peak_bytes(code), size, idle)


def _memory(what: str, peak: int, size: int, idle: int) -> Row:
    return Row(
        f"peak memory, {what}",
        f"{peak / size:.2f}x the file",
        "under 3x",
        f"{peak / 1e6:.0f} MB, {idle / 1e6:.0f} MB idle",
    )
