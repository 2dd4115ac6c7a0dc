"""`python -m tests.simulations [PART ...] [--tracks N]`: run parts and store their tables.

Writes docs/simulations/PART.json and, from all of these, docs/simulations.md. With TRACKSIDE_CASES set, it
also draws from real judges' errors and real tracks.
"""

import argparse
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial

from tests.simulations.careless import careless
from tests.simulations.evidence import by_evidence, by_finer_error
from tests.simulations.families import MADE, families, general
from tests.simulations.intervals import agreement, means, teams, top
from tests.simulations.loop import PARTS as LOOP_PARTS
from tests.simulations.loop_widths import widths
from tests.simulations.margins import margins, powers
from tests.simulations.orders import orders, orders_real
from tests.simulations.page import DOCS, PAGE, page
from tests.simulations.planted import planted
from tests.simulations.rates import rates
from tests.simulations.real import NAMES
from tests.simulations.rows import Row, store
from tests.simulations.takes import takes, tipping
from tests.simulations.taught import probes
from tests.simulations.uses import by_chance
from tests.simulations.wall_losses import wall_losses

SEED = 20261127

PARTS: dict[str, Callable[[int, int], Iterable[Row]]] = {
    "orders": orders,
    "orders-real": orders_real,
    "uses-chance": by_chance,
    "uses-error": by_finer_error,
    "uses-evidence": by_evidence,
    "uses-margins": margins,
    "uses-tune": partial(margins, is_tune=True),
    "uses-power": powers,
    "uses-rate": rates,
    **{f"families-{name}": partial(families, names=(name,)) for name in (MADE, *NAMES)},
    **{f"planted-{name}": partial(planted, names=(name,)) for name in (MADE, *NAMES)},
    **{f"general-{name}": partial(general, names=(name,)) for name in (MADE, *NAMES)},
    "takes": takes,
    "tipping": tipping,
    "means": means,
    "agreement": agreement,
    "tau-ap": top,
    "teams": teams,
    "careless": careless,
    "probes": probes,
    "walls": wall_losses,
    **LOOP_PARTS,
    "loop-widths": widths,
}


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulations", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all unless named")
    parser.add_argument("--render", action="store_true", help="only write the page from the stored tables")
    parser.add_argument("--tracks", type=int, default=1_000, help="tracks a setting (1,000)")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    folder = DOCS / "simulations"
    folder.mkdir(parents=True, exist_ok=True)
    for name in [] if asked.render else asked.parts or PARTS:
        rows = list(PARTS[name](asked.tracks, SEED))
        facts = {"date": datetime.now(UTC).date().isoformat(), "seed": SEED}
        store(folder / f"{name}.json", facts, rows)
        print(f"{name}: {len(rows)} rows", flush=True)
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
