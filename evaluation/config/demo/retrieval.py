"""The demo's runs: really retrieved, by the organizers' baselines and by three teams."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.config.demo.progress import Progress
from evaluation.config.demo.recipes import Recipe, promotion_recipes, suggestion_recipes
from evaluation.config.demo.shelf import Shelf
from evaluation.config.demo.threads import one_thread
from evaluation.config.demo.towers import Towers
from evaluation.config.demo.world import DemoTask
from evaluation.core.arrays import Floats

POOL_DEPTH_BASELINE, POOL_DEPTH_TEAM = 25, 30
RESULTS_A_TOPIC = 100


@dataclass(frozen=True)
class DemoRun:
    """A run as its team hands it in; `team` is None for a baseline of the organizers."""

    tag: str
    team: str | None
    description: str
    families: tuple[str, ...]
    text: str

    @property
    def pool_depth(self) -> int:
        """How deep the run is pooled, as in the source paper."""
        return POOL_DEPTH_BASELINE if self.team is None else POOL_DEPTH_TEAM


def retrieve_runs(
    task: DemoTask, images: Mapping[str, bytes], clip: Path, progress: Progress
) -> list[DemoRun]:
    """Retrieve every run of a task; `images` holds the file of each of its pictures by id.

    Each run is a TREC run file of one to 100 documents a topic.
    """
    text = f"retrieving the runs of the {task.name} task"
    progress(0, 2, text)
    with one_thread():
        shelf = Shelf(task, images, Towers(clip))
        progress(1, 2, text)
        recipes = suggestion_recipes(shelf) if task.name == "suggestion" else promotion_recipes(shelf)
    progress(2, 2, text)
    return [
        DemoRun(recipe.tag, recipe.team, recipe.description, recipe.families, run_text(task, recipe))
        for recipe in recipes
    ]


def run_text(task: DemoTask, recipe: Recipe) -> str:
    """Write a TREC run file, topics in the order of the task."""
    rows = zip(task.topics, recipe.scores, strict=True)
    return "".join(line for topic, scores in rows for line in _lines(task, topic.id, scores, recipe.tag))


def _lines(task: DemoTask, topic: str, scores: Floats, tag: str) -> Iterator[str]:
    """Write the best documents of one topic; ties of the written scores by docno, descending.

    Tasks want an answer to every topic. Where nothing was found, as happens when captions are missing, it is
    the collection's first document at score 0.
    """
    pairs = zip(np.round(scores, 6), task.documents, strict=True)
    found = sorted(((score, item.id) for score, item in pairs if np.isfinite(score)), reverse=True)
    listed = found[:RESULTS_A_TOPIC] or [(0.0, task.documents[0].id)]
    for rank, (score, docno) in enumerate(listed, start=1):
        yield f"{topic} Q0 {docno} {rank} {score:.6f} {tag}\n"
