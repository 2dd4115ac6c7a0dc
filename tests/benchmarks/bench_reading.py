"""Reading runs: time a million lines, tidy and untidy, peak memory, growth with size."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from tests.benchmarks.measuring import Row, medians, peak_bytes, seconds, seconds_text
from tests.benchmarks.runs import docno_list, write_qrels, write_run
from trackside.files import Rankings

READ = "from trackside.files import Rankings; Rankings.from_file({!r})"
SCORE_ONE = (
    "from trackside.files import Rankings, Qrels\n"
    "from trackside.measuring import evaluate\n"
    "run = Rankings.from_file({!r})\n"
    "qrels = Qrels.from_dict({{topic: dict.fromkeys(docnos[:20], 1) for topic, docnos, _ in run}})\n"
    "evaluate([run], qrels, ['nDCG@10', 'AP', 'RR@10', 'R@10', 'R@1000'])"
)
CHECK = (
    "from trackside.checks import check_run\n"
    "check_run({!r}, topics=[f'projected-{{place:05d}}-001' for place in range(17173)])"
)
SCORE = (
    "import glob\nfrom trackside.files import Rankings, Qrels\n"
    "from trackside.measuring import evaluate\n"
    "evaluate((Rankings.from_file(run) for run in sorted(glob.glob({!r}))), Qrels.from_file({!r}),"
    " ['nDCG@10', 'AP', 'RR@10', 'R@10', 'R@1000'])"
)


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Times of two sizes; with --full also times and memory of two large sets."""
    docnos = docno_list(200_000)
    # Both are of several blocks: what fits in one, up to 2 MB, is read faster by the line.
    small, large = (write_run(folder / f"{count}.run", count, 1000, docnos, 1) for count in (200, 2000))
    untidy = folder / "untidy.run"
    untidy.write_bytes(small.read_bytes().replace(b" Q0 ", b"\t Q0  "))
    taken = medians({"small": lambda: Rankings.from_file(small), "large": lambda: Rankings.from_file(large),
                     "untidy": lambda: Rankings.from_file(untidy)})  # fmt: skip
    yield Row("a million lines read, one kind of separator", seconds_text(taken["large"] / 2))
    yield Row("a million lines read, blanks and tabs mixed", seconds_text(taken["untidy"] / 0.2))
    growth = taken["large"] / taken["small"]
    yield Row("ten times the lines", f"{growth:.1f}x", "linear: under 11x", "the time", growth < 11)
    if is_full:
        yield from _large(folder, docnos)


def _large(folder: Path, names: pl.Series) -> Iterator[Row]:
    idle = peak_bytes("import trackside.files, trackside.measuring, trackside.checks")
    validation = write_run(folder / "validation.run", 17_173, 1000, names, 1)
    size = validation.stat().st_size
    read = seconds(lambda: peak_bytes(READ.format(str(validation))))
    yield Row(f"17,173 x 1,000 read ({size / 1e9:.2f} GB)", seconds_text(read), beside="whole process")
    for what, code, most in (("read", READ, 3), ("scored", SCORE_ONE, 3), ("checked", CHECK, 8)):
        peak = peak_bytes(code.format(str(validation)))
        yield Row.below(
            f"17,173 x 1,000 {what}, peak memory over the file", peak / size, most, _memory(peak, idle)
        )
    validation.unlink()
    (folder / "many").mkdir()
    for seed in range(100):
        write_run(folder / "many" / f"{seed:03d}", 200, 1000, names, seed)
    qrels = write_qrels(folder / "qrels", 200, names, 1)
    size = sum(path.stat().st_size for path in (folder / "many").iterdir())
    code = SCORE.format(str(folder / "many" / "*"), str(qrels))
    scored = seconds(lambda: peak_bytes(code))
    yield Row(f"100 x 200 x 1,000 scored ({size / 1e9:.2f} GB)", seconds_text(scored), beside="whole process")
    peak = peak_bytes(code)
    yield Row.below(
        "100 x 200 x 1,000 scored, peak memory over the files", peak / size, 3, _memory(peak, idle)
    )


def _memory(peak: int, idle: int) -> str:
    return f"{peak / 1e6:,.0f} MB, of which {idle / 1e6:.0f} MB with nothing read"
