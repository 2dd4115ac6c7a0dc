"""The runs of the demo."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evaluation.demo.retrieval.recipes import RunRecipe
from evaluation.demo.retrieval.runs import DemoRun, retrieve_runs, run_text
from evaluation.demo.teams import TEAMS
from evaluation.demo.world import DemoTask, World
from tests.evaluation.demo.quiet import silent
from trackside.files import Rankings

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def runs(world: World, images: dict[str, bytes], clip: Path) -> list[DemoRun]:
    return retrieve_runs(world.suggestion, images, clip, silent)


def test_retrieve_runs_gives_eight_baselines_and_eight_runs_of_three_teams(runs: list[DemoRun]) -> None:
    assert Counter(run.team for run in runs) == {None: 8, "harbour": 3, "meridian": 3, "quill": 2}
    assert {run.team for run in runs} - {None} == set(TEAMS)
    assert len({run.tag for run in runs}) == 16
    assert {run.pool_depth for run in runs if run.team is None} == {25}
    assert {run.pool_depth for run in runs if run.team is not None} == {30}


def test_retrieve_runs_calls_clip_based_what_uses_clip(runs: list[DemoRun]) -> None:
    uses = {run.tag for run in runs if {"dense", "hybrid", "two-stage"} & set(run.families)}
    assert {run.tag for run in runs if "CLIP-based" in run.families} == uses
    assert {run.tag for run in runs if "lexical" in run.families} == {run.tag for run in runs} - uses


def test_retrieve_runs_names_known_items_at_most_a_hundred_a_topic(runs: list[DemoRun], world: World) -> None:
    topics = {item.id for item in world.suggestion.topics}
    documents = {item.id for item in world.suggestion.documents}
    for run in runs:
        for topic, docnos, _ in Rankings.from_file(run.text.encode()).results():
            assert topic in topics
            assert set(docnos) <= documents
            assert 0 < len(set(docnos)) == len(docnos) <= 100


def test_retrieve_runs_finds_the_same_words_in_captions(runs: list[DemoRun], world: World) -> None:
    """The best image of BM25 on titles has the thing's name or alias in a caption, whenever one is found."""
    ranking = Rankings.from_file(next(run for run in runs if run.tag == "bm25-titles").text.encode())
    for topic, docnos, _ in ranking.results():
        words = set(" ".join(world.suggestion.topic_by_id[topic].fields.values()).lower().split())
        captions = " ".join(world.suggestion.document_by_id[docnos[0]].fields.values()).lower()
        assert words & set(captions.replace(",", " ").replace(".", " ").split())


def test_retrieve_runs_finds_text_for_pictures(world: World, images: dict[str, bytes], clip: Path) -> None:
    runs = retrieve_runs(world.promotion, images, clip, silent)
    assert len(runs) == 4
    sections = {item.id for item in world.promotion.documents}
    for run in runs:
        assert {
            docno for _, docnos, _ in Rankings.from_file(run.text.encode()).results() for docno in docnos
        } <= sections


def test_run_text_orders_ties_by_docno_descending_and_answers_every_topic(world: World) -> None:
    task = DemoTask("suggestion", world.suggestion.topics[:2], world.suggestion.documents[:3])
    scores = np.array([[0.5, 0.5, -np.inf], [-np.inf] * 3])
    text = run_text(task, RunRecipe("mine", None, (), "", scores))
    assert text.splitlines() == [
        "s01 Q0 img0002 1 0.500000 mine",
        "s01 Q0 img0001 2 0.500000 mine",
        "s02 Q0 img0001 1 0.000000 mine",
    ]
