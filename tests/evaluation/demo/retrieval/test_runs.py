"""The runs of the demo."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.demo.retrieval.index import ItemIndex
from evaluation.demo.retrieval.runs import SECTION, DemoRun, retrieve_runs, run_text
from evaluation.demo.steps.track import picture_files
from evaluation.demo.world import DemoTask
from trackside.files import Rankings

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def suggestion(world: tuple[DemoTask, DemoTask]) -> DemoTask:
    return world[0]


@pytest.fixture(scope="module")
def runs(suggestion: DemoTask, clip: Path) -> list[DemoRun]:
    return list(retrieve_runs(suggestion, picture_files(suggestion), clip))


def test_retrieve_runs_gives_eight_baselines_and_eight_runs_of_three_teams(runs: list[DemoRun]) -> None:
    assert Counter(run.team for run in runs) == {"": 8, "harbour": 3, "meridian": 3, "quill": 2}
    assert len({run.tag for run in runs}) == 16


def test_retrieve_runs_names_known_items_at_most_a_hundred_a_topic(
    runs: list[DemoRun], suggestion: DemoTask
) -> None:
    for run in runs:
        for topic, docnos, _ in Rankings.from_file(run_text(suggestion, run).encode()).results():
            assert {topic, *docnos} <= set(suggestion.about)
            assert 0 < len(set(docnos)) == len(docnos) <= 100


def test_retrieve_runs_finds_text_for_pictures(world: tuple[DemoTask, DemoTask], clip: Path) -> None:
    _, promotion = world
    runs = list(retrieve_runs(promotion, picture_files(promotion), clip))
    assert len(runs) == 4
    shape = (len(promotion.topics), len(promotion.documents))
    assert {run.scores.shape for run in runs} == {shape}


def test_run_text_orders_ties_by_docno_descending_and_answers_every_topic(suggestion: DemoTask) -> None:
    task = DemoTask("suggestion", suggestion.topics[:2], suggestion.documents[:3])
    scores = np.array([[0.5, 0.5, -np.inf], [-np.inf] * 3])
    assert run_text(task, DemoRun("mine", "", (), "", scores)).splitlines() == [
        "s01 Q0 img0002 1 0.500000 mine",
        "s01 Q0 img0001 2 0.500000 mine",
        "s02 Q0 img0001 1 0.000000 mine",
    ]


def test_clip_reads_the_first_the_best_or_the_mean_of_the_windows(suggestion: DemoTask, clip: Path) -> None:
    """Text that the first window has no room for counts for the other policies alone."""
    name = SECTION[0]
    longer = [
        replace(topic, fields={name: f"{topic.fields[name]} blue sea" * 3}) for topic in suggestion.topics
    ]
    index = ItemIndex(replace(suggestion, topics=tuple(longer)), picture_files(suggestion), clip)
    first, best = index.clip(SECTION), index.clip(SECTION, "best window")
    assert np.all(best >= first - 1e-3)  # windows are cut at words, so the first is a token or two shorter
    assert not np.allclose(best, first)
    assert np.all(np.abs(index.clip(SECTION, "mean of windows")) <= 1)
