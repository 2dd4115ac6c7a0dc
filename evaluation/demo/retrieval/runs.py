"""Retrieves the demo's runs: the organizers' baselines and the runs of three teams."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.demo.models.threads import one_thread
from evaluation.demo.models.towers import Towers
from evaluation.demo.progress import Progress
from evaluation.demo.retrieval.item_index import ItemIndex
from evaluation.demo.retrieval.recipes import RunRecipe, promotion_recipes, suggestion_recipes
from evaluation.demo.world import DemoTask
from trackside.arrays import Floats

POOL_DEPTH_BASELINE, POOL_DEPTH_TEAM = 25, 30
RESULTS_A_TOPIC = 100


@dataclass(frozen=True)
class DemoRun:
    """A run to submit; `team` is None for a baseline of the organizers."""

    tag: str
    team: str | None
    description: str
    families: tuple[str, ...]
    text: str

    @property
    def pool_depth(self) -> int:
        """The run's pool depth, as in the source paper."""
        return POOL_DEPTH_BASELINE if self.team is None else POOL_DEPTH_TEAM


def retrieve_runs(
    task: DemoTask, images: Mapping[str, bytes], clip: Path, progress: Progress
) -> list[DemoRun]:
    """Retrieve every run of a task; `images` maps ids of its pictures to files.

    Each run is a TREC run file with 1 to 100 documents per topic.
    """
    text = f"retrieving the runs of the {task.name} task"
    progress(0, 2, text)
    with one_thread():
        index = ItemIndex(task, images, Towers(clip))
        progress(1, 2, text)
        recipes = suggestion_recipes(index) if task.name == "suggestion" else promotion_recipes(index)
    progress(2, 2, text)
    return [
        DemoRun(recipe.tag, recipe.team, recipe.description, recipe.families, run_text(task, recipe))
        for recipe in recipes
    ]


def run_text(task: DemoTask, recipe: RunRecipe) -> str:
    """Return a TREC run file, topics in the order of the task."""
    rows = zip(task.topics, recipe.scores, strict=True)
    return "".join(line for topic, scores in rows for line in _lines(task, topic.id, scores, recipe.tag))


def _lines(task: DemoTask, topic: str, scores: Floats, tag: str) -> Iterator[str]:
    """Yield the lines of the best documents of one topic; ties of the written scores by docno, descending.

    Tasks require results for every topic. If nothing was found, which happens without captions, return the
    collection's first document with score 0.
    """
    pairs = zip(np.round(scores, 6), task.documents, strict=True)
    found = sorted(((score, item.id) for score, item in pairs if np.isfinite(score)), reverse=True)
    listed = found[:RESULTS_A_TOPIC] or [(0.0, task.documents[0].id)]
    for rank, (score, docno) in enumerate(listed, start=1):
        yield f"{topic} Q0 {docno} {rank} {score:.6f} {tag}\n"
