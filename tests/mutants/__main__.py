"""`make mutants`: mutate the modules whose faults cost most, and name the mutants that no test notices."""

import argparse
import os
import tempfile
import time
import tomllib
from contextlib import nullcontext
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")  # pure tests read its ROOT
# One folder for the servers, which all processes share.
os.environ["TRACKSIDE_TEST_VAR"] = str(
    Path(tempfile.gettempdir()).resolve() / f"trackside-test-{os.getuid()}-{os.getpid()}"
)

from tests.mutants.making import make_mutants
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
        "--only", default="", metavar="NAME", help="a subject, or the start of a module's name"
    )
    options = parser.parse_args()
    targets = find_targets(options.only)
    warm_up()
    limits = Limits()
    with servers() if any(target.needs_site for target in targets) else nullcontext():
        for target in targets:
            _try_module(target, limits, options)


def _try_module(target: Target, limits: Limits, options: argparse.Namespace) -> None:
    count, mutants = make_mutants(
        target.module,
        target.path,
        sample=options.sample,
        seed=options.seed,
        has_constants=not target.needs_site,
    )
    started = time.monotonic()
    known = try_in_turn(target, mutants) if target.needs_site and mutants else {}
    alive = [
        mutant
        for mutant in mutants
        if (known.get(mutant.name) or try_mutant(target, mutant, limits)) == Outcome.SURVIVED
    ]
    survivors = [mutant for mutant in alive if mutant.name not in _equivalent_names()]
    for mutant in survivors:
        print(f"  {target.path}:{mutant.line}: {mutant.before} -> {mutant.after}", flush=True)
    seconds = time.monotonic() - started
    print(
        f"{target.module}: {len(mutants)} of {count} tried, {len(survivors)} survived, "
        f"{len(alive) - len(survivors)} equivalent, {seconds:.0f} s",
        flush=True,
    )


def _equivalent_names() -> set[str]:
    rows = tomllib.loads(EQUIVALENT.read_text())["mutant"]
    return {f"{row['module']}: {row['before']} -> {row['after']}" for row in rows}


if __name__ == "__main__":
    main()
