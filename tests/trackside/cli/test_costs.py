"""What commands load and touch, in counts that do not vary with the load of the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.runs import docno_list, topic_name, write_qrels, write_run

TOPICS, RUNS = 40, 6
SLOW = {"polars", "scipy", "numpy.ma", "html", "csv", "email", "PIL", "django"}
STEADY = {"NUMPY_MADVISE_HUGEPAGE": "0", "PYTHONHASHSEED": "0"}
# Linux grants huge pages where it has some free, and each saves hundreds of faults: refuse them (prctl(2)).
PR_SET_THP_DISABLE = 41
SPELT = (
    f"import ctypes, sys; ctypes.CDLL(None).prctl({PR_SET_THP_DISABLE}, 1, 0, 0, 0)\n"
    "from trackside.cli.main import main; sys.exit(main())"
)
# The slow modules that each command loads: none may be added.
LOADED: dict[str, set[str]] = {
    "score": set(),
    "pool": set(),
    "fuse": set(),
    "check": {"polars", "numpy.ma", "html", "csv", "email"},
    "correlate": {"polars", "csv", "email"},
    "compare": {"polars", "scipy", "numpy.ma", "csv", "email"},
    "plan-topics": {"polars", "scipy", "numpy.ma", "csv", "email"},
    "plan": {"scipy", "numpy.ma", "html", "csv", "email"},
    "replay": {"polars", "scipy", "numpy.ma", "html", "csv", "email"},
}  # fmt: skip
# Pages that a command touches for six runs of 40 x 1,000 (check: one) beyond those for one result, and a
# tenth of them.
MOST_PAGES = {"score": 8700, "pool": 8900, "check": 10_000}
# The size of the environment shifts the heap, so that malloc gives memory back at other steps: one size in
# four takes up to a third more. So each try has another size.
TRIES = 6
SHIFT = 997  # bytes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    docnos = docno_list(20_000)
    for seed in range(RUNS):
        write_run(folder / f"run{seed}", TOPICS, 1000, docnos, seed)
    for seed in range(2):
        write_qrels(folder / f"qrels{seed}", TOPICS, docnos, seed)
    (folder / "topics").write_text("".join(f"{topic_name(topic)}\n" for topic in range(TOPICS)))
    first = (folder / "run0").read_text().partition("\n")[0]
    topic, _, docno, *_ = first.split()
    (folder / "one-run0").write_text(f"{first}\n")
    (folder / "one-qrels0").write_text(f"{topic} 0 {docno} 1\n")
    (folder / "one-topics").write_text(f"{topic}\n")
    return folder


def words(name: str, run_count: int, one: str = "") -> list[str]:
    """A command; with ``one`` = "one-" on the files of one result."""
    runs, qrels = [f"{one}run{seed}" for seed in range(run_count)], f"{one}qrels0"
    options = {
        "pool": ["--depth", "20", "--out", "pool"],
        "check": ["--topics", f"{one}topics"],
        "fuse": [],
        "correlate": ["--qrels", qrels, "--qrels", "qrels1"],
        "plan": ["new", "plan", "--highest", "2", "--budget", "300"],
        "replay": ["--qrels", qrels, "--times", "1"],
    }
    return [name, *options.get(name, ["--qrels", qrels]), *(runs[:1] if name == "check" else runs)]


@pytest.mark.parametrize("name", LOADED)
def test_commands_load_only_the_modules_that_they_need(name: str, folder: Path) -> None:
    code = (
        "import contextlib, io, sys; from trackside.cli.main import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()): main({words(name, 3)!r})\n"
        f"print(*sorted({SLOW!r} & {{*sys.modules}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= LOADED[name]


def pages(command: list[str], folder: Path, shift: int = 0) -> int:
    """The pages that a fresh command touches, with ``shift`` more bytes of environment."""
    process = subprocess.Popen(
        [sys.executable, "-c", SPELT, *command],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | STEADY | {"SHIFT": "x" * shift},
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_minflt


@pytest.mark.parametrize("name", MOST_PAGES)
def test_commands_touch_few_pages(name: str, folder: Path) -> None:
    pages(words(name, RUNS), folder)  # stores byte code
    fewest = [
        min(pages(command, folder, SHIFT * number) for number in range(TRIES))
        for command in (words(name, RUNS), words(name, 1, "one-"))
    ]
    assert fewest[0] - fewest[1] <= MOST_PAGES[name]
