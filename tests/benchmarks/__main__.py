"""Run the benchmarks in this folder and print their figures as a table, with commit and machine."""

import argparse
import importlib
import os
import platform
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.measuring import HEADER

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))
LIBRARIES = ("numpy", "polars", "pytrec-eval-terrier", "ir-measures", "ranx")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[*NAMES, []], help="which benchmarks; all when none is named"
    )
    parser.add_argument("--full", action="store_true", help="also the large sizes (3 GB of files, minutes)")
    arguments = parser.parse_args()
    print("\n".join(circumstances()), end="\n\n")
    print(HEADER)
    for name in arguments.names or NAMES:
        with tempfile.TemporaryDirectory(prefix="trackside-bench-") as folder:
            for row in importlib.import_module(f"tests.benchmarks.bench_{name}").rows(
                Path(folder), is_full=arguments.full
            ):
                print(row, flush=True)
    print(f"\nLoad at the end: {load()}")


def circumstances() -> Iterator[str]:
    """Commit, machine and libraries."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    yield f"Commit {commit.stdout.strip() or 'unknown'}; {os.cpu_count()} cores, {processor()}, {memory()}"
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    yield f"{platform.system()}, Python {platform.python_version()}, {libraries}"
    yield f"Load at the start: {load()}"


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")


def memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"


def load() -> str:
    return " ".join(f"{each:.1f}" for each in os.getloadavg())


if __name__ == "__main__":
    main()
