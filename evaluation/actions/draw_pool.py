"""Draw what a pool of the task's runs would hold: for its preview, and to freeze it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.core.errors import InputError
from evaluation.core.pool_recipes import DepthRecipe
from evaluation.models import Ranking, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.pool_recipes import Rankings, Recipe
    from evaluation.core.sampled_pooling import SampledItem
    from evaluation.models import Task


class NoRunsToPool(InputError):
    """No accepted run was chosen."""


class NothingDrawn(InputError):
    """The recipe finds no document."""


@dataclass(frozen=True)
class Draw:
    """The runs with their depths, and by topic, in byte order, every document, drawn or not."""

    depth_of: dict[Run, int]
    recipe: Recipe
    items: dict[str, list[SampledItem]]

    @property
    def drawn(self) -> dict[str, list[SampledItem]]:
        """The documents drawn, by topic; topics without any are absent."""
        found = {topic: [item for item in items if item.is_drawn] for topic, items in self.items.items()}
        return {topic: items for topic, items in found.items() if items}


def draw_pool(
    *, task: Task, seed: int, depths: Mapping[int, int] | None = None, recipe: Recipe | None = None
) -> Draw:
    """Draw from the task's accepted runs, leaving out topics in draft.

    Equal arguments draw the same while runs, topics and judgments stay.
    ``depths`` gives the depth by the run's primary key and leaves other runs out; None takes each run to the
    depth set for it. ``recipe`` draws from what lies above these depths; None takes all of it. ``seed`` fixes
    what chance decides. Raises NoRunsToPool, NothingDrawn, StrataDoNotRise.
    """
    recipe = recipe or DepthRecipe()
    depth_of = _depths(task, depths)
    rankings = _rankings(depth_of)
    items = {topic: recipe.draw(rankings[topic], topic=topic, seed=seed) for topic in sorted(rankings)}
    draw = Draw(depth_of, recipe, items)
    if not draw.drawn:
        raise NothingDrawn(f"{task}: the runs have nothing more to draw. Give them greater depths.")
    return draw


def _depths(task: Task, depths: Mapping[int, int] | None) -> dict[Run, int]:
    runs = Run.objects.accepted().filter(task=task).select_related("task", "team").order_by("pk")
    wanted = {run.pk: run.depth_in_pool for run in runs} if depths is None else depths
    found = {run: wanted[run.pk] for run in runs if wanted.get(run.pk)}
    if not found:
        raise NoRunsToPool(f"{task}: no accepted run to pool. Wait for runs, or give one of them a depth.")
    return found


def _rankings(depth_of: Mapping[Run, int]) -> Mapping[str, Rankings]:
    """By topic, each run's documents down to its depth; a run that has none of a topic is not there."""
    depth_by_key = {run.pk: depth for run, depth in depth_of.items()}
    rankings: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rows = Ranking.objects.filter(run__in=depth_of).without_drafts()
    for run, topic, docnos in rows.values_list("run", "topic", "docnos").iterator():
        rankings[topic][str(run)] = docnos.split("\n", depth_by_key[run])[: depth_by_key[run]]
    return rankings
