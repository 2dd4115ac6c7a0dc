"""The implementation of `trackside estimate`."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from trackside.cli.files.inputs import read_qrels
from trackside.cli.files.loop.plan_folder import PlanFolder
from trackside.cli.files.loop.planning import read_heads, same_run_lines
from trackside.cli.files.loop.weak_spots import weak_spots
from trackside.cli.files.tables import aligned
from trackside.errors import InputError
from trackside.loop.claims import Z
from trackside.loop.drawing import FEWEST_KNOWN
from trackside.loop.estimating import FEWEST_GRADED
from trackside.loop.hybrid import hybrid_of
from trackside.loop.orders import DRAWN
from trackside.loop.steps import MeasureEstimate, State
from trackside.loop.targets import DIFFERENCES_ONLY, offered_measure
from trackside.pooling.universe import Heads
from trackside.statistics.reliability import Reliability, reliability
from trackside.text.counted import counted

_SHOWN = 10  # names of runs in a sentence


def estimate_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Look at the grades so far, count the look, and return what to print. Raises InputError."""
    folder = PlanFolder(Path(arguments.folder))
    if not folder.batch_count:
        raise InputError(f"no batch is drawn yet. Draw one with: trackside plan next {folder.path}")
    state = folder.state(read_qrels(arguments.qrels), frozenset(arguments.withdraw))
    heads = read_heads(arguments.new_run, state.plan.depth)
    if same := sorted(set(heads) & set(state.universe.tags)):
        raise InputError(f"--new-run {same[0]}: a run of the plan has that tag. Name it with NAME=RUN.")
    view = View(state, heads, folder.count_look(state))
    if arguments.hybrid:
        hybrid_of(state).write(Path(arguments.hybrid))
    return view.json_lines() if arguments.format == "json" else view.lines(arguments)


class View:
    """A look at a plan, and what is printed of it."""

    def __init__(self, state: State, heads: Heads, looks: int) -> None:
        self.state, self.heads, self.looks = state, heads, looks
        self.universe = state.kept.with_runs(heads)
        self.z = state.z(looks)
        self.has_batches = min(2, len(state.plan.sizes)) <= sum(
            prefix >= FEWEST_GRADED for prefix in state.prefixes
        )
        is_planned = looks <= len(state.plan.sizes)
        self.has_claims = is_planned and self.has_batches and state.plan.recipe in DRAWN
        self.estimates = [state.estimate(name, self.z, heads) for name in state.plan.measures]
        self.stop = self.estimates[0].stop(state.plan, has_claims=self.has_claims)

    def lines(self, arguments: argparse.Namespace) -> Iterator[str]:
        """The table and sentences of each measure, what is left, and whether to stop."""
        state = self.state
        done = sum(state.prefixes)
        yield (
            f"{done:,} of {state.universe.pair_count:,} pairs graded in {len(state.batches)} of "
            f"{len(state.plan.sizes)} batches; look {self.looks} of {len(state.plan.sizes)}"
        )
        yield from self._notes()
        for estimate in self.estimates:
            yield ""
            yield from self._measure_lines(estimate, arguments.decimals)
        if arguments.calibration:
            yield from calibration_lines(state)
        yield ""
        yield self._advice()

    def _notes(self) -> Iterator[str]:
        state = self.state
        for number, (batch, prefix) in enumerate(zip(state.batches, state.prefixes, strict=True), 1):
            graded = int((state.grades.values[batch.order] >= 0).sum())
            if prefix < len(batch.order):
                yield (
                    f"batch {number}: the first {prefix:,} of {len(batch.order):,} pairs are finished: these "
                    f"alone count ({graded:,} have a grade)"
                )
        if count := int(state.grades.cannot.sum()):
            yield f"{counted(count, 'pair')} cannot be graded: see the means with all at 0, and at the top"
        if state.grades.outside:
            yield f"{counted(state.grades.outside, 'grade')} outside the plan's pairs, not used"
        for tag in sorted(state.withdrawn):
            yield f"{tag} is withdrawn"
        for tag, ranking in self.heads.items():
            share = state.kept.missing(ranking)
            yield f"{tag} came after grades were seen; {100 * share:.1f} % are outside and count as 0"
        yield from same_run_lines(self.universe)

    def _measure_lines(self, estimate: MeasureEstimate, decimals: int) -> Iterator[str]:
        is_drawn = self.state.plan.recipe in DRAWN
        yield from aligned(self._rows(estimate, decimals))
        if not is_drawn:
            recipe = self.state.plan.recipe
            yield f"No intervals: {recipe} draws without chances. Pairs without a grade count as 0."
            return
        yield f"± now: 95 % interval of this look; ± looks: one that holds over all looks (z {self.z:.3f})."
        if not self.has_batches:
            yield "One batch: nothing is claimed of differences, order or the best run before a second one."
        elif not self.has_claims:
            yield "More looks than planned: nothing is claimed of differences, order or the best run."
        else:
            yield from self._claims(estimate)
        for spot in weak_spots(estimate, self.state):
            yield f"Weak here: {spot}"

    def _rows(self, estimate: MeasureEstimate, decimals: int) -> list[list[str]]:
        claims, look = estimate.claims, estimate.claims.look
        offered = offered_measure(estimate.measure, self.state.plan.depth).family.name not in DIFFERENCES_ONLY
        first = int(np.argmax(look.means))
        errors = look.errors if offered else look.gap_errors[first]
        columns = [row if offered else row - row[first] for row in (look.means, *estimate.extremes)]
        head = estimate.measure if offered else f"{estimate.measure} less the first"
        rows = [["run", head, "± now", "± looks", *(["cannot: 0", "top"] if estimate.extremes else [])]]
        for run in np.argsort(-look.means, kind="stable").tolist():
            means = [float(column[run]) for column in columns]
            numbers = [means[0], Z * errors[run], claims.z * errors[run], *means[1:]]
            cells = ["–" if np.isnan(number) else f"{number:.{decimals}f}" for number in numbers]
            rows.append([self.universe.tags[run], *cells])
        return rows

    def _claims(self, estimate: MeasureEstimate) -> Iterator[str]:
        claims, names = estimate.claims, self.universe.tags
        if len(claims.order) < 2:
            yield "One run: there is nothing to order."
            return
        kept = np.ix_(claims.order, claims.order)
        apart, pairs = int(claims.apart[kept].sum()) // 2, len(claims.order) * (len(claims.order) - 1) // 2
        yield f"{apart:,} of {pairs:,} pairs of runs are told apart."
        best = [names[run] for run in claims.best()]
        shown = ", ".join(best[:_SHOWN]) + (f" and {len(best) - _SHOWN} more" if len(best) > _SHOWN else "")
        yield f"May be the best: {shown}." if len(best) > 1 else f"The best is {shown}."
        first, second = claims.order[:2]
        chance = claims.chances[first, second]
        yield f"{names[first]} is above {names[second]} with probability {chance:.3f} (of this look)."
        if top := self.state.plan.aim.top:
            places = claims.places_in_order(top)
            undecided = ", ".join(names[run] for run in claims.order[places:top])
            yield f"In order from the top: {places} of {top}" + (
                f"; undecided: {undecided}." if undecided else "."
            )
        low, mean, high = estimate.tau
        yield f"tau to the full pool's order: {mean:.3f}, from {low:.3f} to {high:.3f} over looks."

    def _advice(self) -> str:
        state = self.state
        if not (state.grades.values < 0).any():
            return "Stop: every pair is graded."
        if self.stop:
            return f"Stop: reached {state.plan.aim.words}. {state.left:,} judgments of the plan are left."
        if not state.left:
            return f"Stop: the budget is spent. The aim was: {state.plan.aim.words}."
        waiting = state.left - sum(state.plan.sizes[len(state.batches) :])
        if waiting:
            return (
                f"Go on: {waiting:,} drawn pairs still wait for a grade, {state.left:,} with later batches."
            )
        return f"Go on: {state.left:,} judgments are left. Draw the next batch: trackside plan next FOLDER"

    def json_lines(self) -> Iterator[str]:
        """Everything as JSON."""
        state = self.state
        facts = {
            "plan": state.plan.to_json(),
            "graded": sum(state.prefixes),
            "pairs": state.universe.pair_count,
            "look": self.looks,
            "has_claims": self.has_claims,
            "z": self.z,
            "left": state.left,
            "stop": bool(self.stop),
            "measures": [self._facts(estimate) for estimate in self.estimates],
        }
        if state.plan.recipe in DRAWN:
            facts["calibration"] = [asdict(part) for part in reliabilities(state)]
        yield json.dumps(_plain(facts), ensure_ascii=False, indent=1)

    def _facts(self, estimate: MeasureEstimate) -> dict[str, Any]:
        claims, names = estimate.claims, self.universe.tags
        is_drawn = self.state.plan.recipe in DRAWN
        return {
            "measure": estimate.measure,
            "runs": list(names),
            "means": claims.look.means.tolist(),
            "covariance": claims.look.covariance.tolist(),
            "above": claims.chances.tolist() if is_drawn else None,
            "best": [names[run] for run in claims.best()] if self.has_claims else None,
            "tau": list(estimate.tau),
            "weights": list(claims.look.weights),
            "weak": list(weak_spots(estimate, self.state)) if is_drawn else [],
        }


def _plain(value: Any) -> Any:
    """The value with None for NaN, which JSON lacks."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and np.isnan(value) else value


def reliabilities(state: State) -> list[Reliability]:
    """Of the chances of each grade or more."""
    pairs, tails, weights = state.predictions()
    topic, grades = state.universe.topic[pairs], state.grades.values[pairs]
    rng = np.random.default_rng(state.plan.seed)
    return [
        reliability(tails[:, grade - 1], (grades >= grade).astype(float), weights, topic, rng)
        for grade in range(1, state.plan.highest + 1)
    ]


def calibration_lines(state: State) -> Iterator[str]:
    """The reliability curve of each grade, with its calibration error and Brier score."""
    if len(state.batches) < 2 and (state.grades.values >= 0).sum() < FEWEST_KNOWN:
        yield "No calibration: there are too few grades."
        return
    for grade, part in enumerate(reliabilities(state), 1):
        yield ""
        yield (
            f"chance of grade {grade} or more: ECE {part.ece[0]:.3f} [{part.ece[1]:.3f}, {part.ece[2]:.3f}], "
            f"Brier {part.brier[0]:.3f} [{part.brier[1]:.3f}, {part.brier[2]:.3f}]"
        )
        rows = [["predicted", "observed", "low", "high", "pairs"]]
        rows += [
            [f"{row.predicted:.3f}", *(f"{end:.3f}" for end in row.observed), f"{row.count:,}"]
            for row in part.bins
        ]
        yield from aligned(rows)
