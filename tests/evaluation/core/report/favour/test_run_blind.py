"""Values under run-blind judges, against the expectation of a measure that is linear in the grades."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from evaluation.core.report.favour.run_blind import run_blind
from tests.simulations.simulated_tracks import SCALE, Population, Setting, draw_population

TOPICS = np.arange(50)
MODULE = "evaluation.core.report.favour.run_blind"


def shares(population: Population, topics: np.ndarray) -> np.ndarray:
    """The confusion matrix of these topics, as shares of the judge's grades within people's."""
    people, own = (each[topics] for each in population.graded)
    counts = np.array([[((people == row) & (own == column)).sum() for column in SCALE] for row in SCALE])
    found: np.ndarray = counts / counts.sum(axis=1, keepdims=True)
    return found


def expected(population: Population, confusion: np.ndarray) -> np.ndarray:
    """P@10 [run, topic]: the mean chance of the first ten items to be graded 1 or more."""
    chances = confusion[:, 1:].sum(axis=1)[population.graded[0]]
    return np.array([np.take_along_axis(chances, items[:, :10], 1).mean(axis=1) for items in population.runs])


def test_expected_means_without_a_topic_follow_the_confusion_matrix_without_it() -> None:
    population = draw_population(Setting(TOPICS.size, uneven=0.8), np.random.default_rng(3))
    study = population.study(TOPICS, seed=3)
    found = run_blind(replace(study, design=replace(study.design, measures=("P@10",))), 1)
    whole = expected(population, shares(population, TOPICS))
    exact = np.array(
        [
            (expected(population, shares(population, others)) - whole)[:, others].mean(axis=1)
            for others in (TOPICS[topic != TOPICS] for topic in TOPICS)
        ]
    )
    assert np.abs(found.expected[0].mean(axis=1) - whole.mean(axis=1)).max() < 0.005
    error = found.moved[:, 0] - exact
    assert np.sqrt((error**2).mean()) < 0.1 * np.sqrt((exact**2).mean())


def test_nothing_moves_where_grades_are_drawn_within_topics() -> None:
    study = draw_population(Setting(12), np.random.default_rng(3)).study(np.arange(12), run_blind="topic")
    assert not run_blind(study, 1).moved.any()


def test_values_do_not_depend_on_the_blocks_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    study = draw_population(Setting(12), np.random.default_rng(3)).study(np.arange(12))
    monkeypatch.setattr(f"{MODULE}.IN_BLOCK", 3 * study.shared_pairs(0, 1).size)  # the last block has 1 draw
    whole = run_blind(study, 1)
    assert whole.draws == 100
    monkeypatch.setattr(f"{MODULE}.BLOCKS", 2)
    parts = run_blind(study, 1)
    for one, other in zip(astuple(whole), astuple(parts), strict=True):
        assert np.array_equal(one, other)
