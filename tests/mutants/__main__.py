"""`make mutants`: mutate the modules whose faults cost most, and name the mutants that no test notices."""

import argparse
import os
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")  # pure tests read its ROOT
# One folder for the servers, which all processes share.
os.environ["TRACKSIDE_TEST_VAR"] = str(
    Path(tempfile.gettempdir()).resolve() / f"trackside-test-{os.getuid()}-{os.getpid()}"
)

from tests.mutants.making import make_mutants
from tests.mutants.mutant import Mutant
from tests.mutants.running import Limits, Outcome, servers, try_mutant, warm_up
from tests.mutants.swapping import try_in_turn
from tests.mutants.targets import Target, find_targets

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main() -> None:
    """Try the mutants and print those that no test notices."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="mutants a module, at most; default: all")
    parser.add_argument("--seed", type=int, default=0, help="of the samples")
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="a subject, or the start of a module's name; repeatable",
    )
    options = parser.parse_args()
    targets = find_targets(options.only or [""])
    warm_up()
    limits = Limits()
    for target in (each for each in targets if not each.needs_site):
        count, mutants = _mutants(target, options)
        _show(target, count, mutants, (try_mutant(target, mutant, limits) for mutant in mutants))
    of_site = [each for each in targets if each.needs_site]
    with servers() if of_site else nullcontext():
        for tests, group in groupby(of_site, lambda target: target.near):
            made = [(target, *_mutants(target, options)) for target in group]
            outcomes = try_in_turn([mutant for *_, mutants in made for mutant in mutants], tests)
            for target, count, mutants in made:
                _show(target, count, mutants, outcomes)


def _mutants(target: Target, options: argparse.Namespace) -> tuple[int, list[Mutant]]:
    return make_mutants(
        target.module,
        target.path,
        sample=options.sample,
        seed=options.seed,
        has_constants=not target.needs_site,
    )


def _show(target: Target, count: int, mutants: Sequence[Mutant], outcomes: Iterator[Outcome]) -> None:
    """Print the module's survivors as they come, and its counts at the end."""
    started = time.monotonic()
    equivalent, counts = _equivalent_names(), Counter[str]()
    for mutant, outcome in zip(mutants, outcomes, strict=False):  # the outcomes go on with the next module
        is_known = outcome == Outcome.SURVIVED and mutant.name in equivalent
        counts["equivalent" if is_known else outcome] += 1
        if outcome == Outcome.SURVIVED and not is_known:
            print(f"  {target.path}:{mutant.line}: {mutant.before} -> {mutant.after}", flush=True)
    found = ", ".join(f"{number} {name}" for name, number in counts.items())
    seconds = time.monotonic() - started
    print(f"{target.module}: {len(mutants)} of {count}: {found}, {seconds:.0f} s", flush=True)


def _equivalent_names() -> set[str]:
    rows = tomllib.loads(EQUIVALENT.read_text())["mutant"]
    return {f"{row['module']}: {row['before']} -> {row['after']}" for row in rows}


if __name__ == "__main__":
    main()
