"""`make mutants`: mutate the modules whose faults cost most, and name the mutants that no test notices."""

import argparse
import os
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

# One folder for the servers, which all processes share.
os.environ["TRACKSIDE_TEST_VAR"] = str(
    Path(tempfile.gettempdir()).resolve() / f"trackside-test-{os.getuid()}-{os.getpid()}"
)

from tests.mutants.making import make_mutants
from tests.mutants.records import Records
from tests.mutants.running import Limits, Outcome, servers, try_mutant, warm_up
from tests.mutants.swapping import try_in_turn
from tests.mutants.targets import Target, find_targets


def main() -> None:
    """Try the mutants and write docs/mutants.md."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="mutants a module, at most; default: all")
    parser.add_argument("--seed", type=int, default=0, help="of the samples")
    parser.add_argument(
        "--only", default="", metavar="NAME", help="a subject, or the start of a module's name"
    )
    parser.add_argument("--again", action="store_true", help="only those that survived before")
    options = parser.parse_args()
    targets = find_targets(options.only)
    warm_up()
    records, limits = Records.read(), Limits()
    with servers() if any(target.needs_site for target in targets) else nullcontext():
        for target in targets:
            _try_module(target, records, limits, options)
            records.save(target)
    Records.read().write_page(sample=options.sample, seed=options.seed)


def _try_module(target: Target, records: Records, limits: Limits, options: argparse.Namespace) -> None:
    if options.again and not records.survivors(target.module):
        return
    count, mutants = make_mutants(
        target.module,
        target.path,
        sample=options.sample,
        seed=options.seed,
        has_constants=not target.needs_site,
    )
    if options.again:
        mutants = [mutant for mutant in mutants if records.has_survived(mutant)]
    records.start(target, count)
    if not mutants:
        return
    started = time.monotonic()
    known = try_in_turn(target, mutants) if target.needs_site else {}
    survivors = []
    for mutant in mutants:
        outcome = known.get(mutant.name) or try_mutant(target, mutant, limits)
        records.add(mutant, outcome)
        if outcome == Outcome.SURVIVED:
            survivors.append(mutant)
            print(f"  {target.path}:{mutant.line}: {mutant.before} -> {mutant.after}", flush=True)
    seconds = time.monotonic() - started
    print(
        f"{target.module}: {len(mutants)} of {count} tried, {len(survivors)} survived, {seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
