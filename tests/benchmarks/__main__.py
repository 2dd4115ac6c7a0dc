"""Run the benchmarks in this folder and print their figures as a table, with commit and machine.

With --store, each result replaces the stored one, and docs/performance.md is rewritten. Several benchmarks
run one after the other, each in its own process: settings, caches and peak memory are those of one benchmark.
"""

import argparse
import importlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.measuring import HEADER
from tests.benchmarks.results import Result, measured_sources, write_page

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))
WRITTEN = ("docs/performance.md", "tests/benchmarks/results")  # by --store
LIBRARIES = ("numpy", "polars", "pytrec-eval-terrier", "ir-measures", "ranx")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[*NAMES, []], help="which benchmarks; all when none is named"
    )
    parser.add_argument("--full", action="store_true", help="also the large sizes (3 GB of files, minutes)")
    parser.add_argument(
        "--store", action="store_true", help="store the results and write docs/performance.md"
    )
    parser.add_argument("--page", action="store_true", help="only mark rows whose code has changed as stale")
    arguments = parser.parse_args()
    if arguments.page:
        write_page()
        return
    names = arguments.names or NAMES
    if len(names) > 1:
        flags = {"--full": arguments.full, "--store": arguments.store}
        sys.exit(in_processes(names, [flag for flag, is_set in flags.items() if is_set]))
    commit = checked_out()
    if arguments.store and commit.endswith("-dirty"):
        parser.error("commit your changes first: results are stored with the commit that they are of")
    print("\n".join(circumstances()), end="\n\n")
    print(HEADER)
    result = measure(names[0], commit, is_full=arguments.full)
    if arguments.store:
        result.save()
        write_page()
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}")


def in_processes(names: list[str], flags: list[str]) -> str | None:
    """Run each benchmark; return which of them failed, and None if none did."""
    command = [sys.executable, "-m", "tests.benchmarks"]
    failed = [name for name in names if subprocess.run([*command, name, *flags], check=False).returncode]
    return f"Failed: {', '.join(failed)}." if failed else None


def measure(name: str, commit: str, *, is_full: bool) -> Result:
    """Run a benchmark; print its rows as they come."""
    benchmark = importlib.import_module(f"tests.benchmarks.bench_{name}")
    before, begun, rows = os.getloadavg()[0], time.perf_counter(), []
    with tempfile.TemporaryDirectory(prefix="trackside-bench-") as folder:
        for row in benchmark.rows(Path(folder), is_full=is_full):
            print(row, flush=True)
            rows.append(row)
    load = before, os.getloadavg()[0]
    day = datetime.now(UTC).date().isoformat()
    taken = round(time.perf_counter() - begun)
    sources = measured_sources(name)
    return Result(name, commit, day, machine(), load, is_full, tuple(rows), taken, sources)


def circumstances() -> Iterator[str]:
    """Commit, machine and libraries."""
    yield f"Commit {checked_out()}; {machine()}"
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    yield f"{platform.system()}, Python {platform.python_version()}, {libraries}"
    yield f"Load at the start: {os.getloadavg()[0]:.1f}"


def checked_out() -> str:
    """The commit that is checked out; it ends in -dirty if files other than stored results were changed."""
    commit = _git("rev-parse", "--short", "HEAD") or "unknown"
    is_dirty = _git(
        "status", "--porcelain", "-uno", "--", ":/", *(f":(exclude,top){each}" for each in WRITTEN)
    )
    return f"{commit}-dirty" if is_dirty else commit


def _git(*command: str) -> str:
    ran = subprocess.run(["git", *command], cwd=FOLDER, capture_output=True, text=True, check=False)
    return ran.stdout.strip()


def machine() -> str:
    return f"{os.cpu_count()} cores, {processor()}, {memory()}"


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")


def memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"


if __name__ == "__main__":
    main()
