"""Runs the benchmarks in this folder and prints their rows: a figure, what it is set against, the target."""

import argparse
import importlib
import tempfile
from pathlib import Path

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", choices=[*NAMES, []], help="which benchmarks; all when none is named"
    )
    parser.add_argument("--full", action="store_true", help="also the large sizes (1.4 GB of files, minutes)")
    arguments = parser.parse_args()
    print(f"{'what':<64} {'figure':>14}  {'target':<18} beside")
    for name in arguments.names or NAMES:
        with tempfile.TemporaryDirectory(prefix="trackside-bench-") as folder:
            for row in importlib.import_module(f"tests.benchmarks.bench_{name}").rows(
                Path(folder), is_full=arguments.full
            ):
                print(row, flush=True)


if __name__ == "__main__":
    main()
