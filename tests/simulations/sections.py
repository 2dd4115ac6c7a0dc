"""Coverage of the intervals that single sections of a report make, on parts of one large drawn track.

The runs of a large track are the same on all its topics, so its parts are tracks with the same runs on other
topics, and its own values are the truth.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.findings import Findings, Number
from evaluation.core.report.sections.judge_pairs import models_alike
from evaluation.core.report.sections.retest import repeats_section
from evaluation.core.report.sections.run_differences import run_differences
from evaluation.core.report.sections.texts import texts_section
from evaluation.core.report.sections.topic_orders import topic_orders_section
from evaluation.core.report.texts import Texts
from tests.simulations.means import TOPICS
from tests.simulations.rows import ORDERS_OF_MODELS, Coverage, Row
from tests.simulations.simulated_tracks import DOCS, Population, Setting, draw_population

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.findings import Table
    from evaluation.core.report.study import Study

PARTS = 25  # tracks of one population
BEYOND = 1  # further topics of a population, as a multiple of those of its tracks
CELLS = {
    "mean tau within topics": ("tau-by-topic", "mean"),
    "mean difference of the runs' means": ("bland-altman", "mean difference"),
    ORDERS_OF_MODELS: ("judges-alike", "difference"),
    "excess grade of a quarter by length": ("over-grading-by-text", "excess grade"),
    "mean rho of excess grade and length within topics": ("over-grading-within-topics", "rho"),
    "mean distance of raw scores": ("repeats", "mean distance of raw scores"),
}
EXPECTED = ORDERS_OF_MODELS
"""Its estimand is the value on as many other topics: the mean over the tracks of a population."""


def sections(tracks: int, seed: int) -> Iterator[Row]:
    """One row a statistic, judge and number of topics."""
    for judge in ("lenient", "noisy"):
        for topics in TOPICS:
            found = _coverage(Setting(topics, judge=judge), tracks, seed)
            for statistic in CELLS:
                yield Row(statistic, judge, topics, tracks, found[statistic])


def _coverage(setting: Setting, tracks: int, seed: int) -> dict[str, dict[str, float | None]]:
    counts: dict[str, Coverage] = defaultdict(Coverage)
    for at in range(tracks // PARTS):
        rng = np.random.default_rng([seed, at])
        size = setting.topics * PARTS
        whole = np.arange(size * (1 + BEYOND))
        population = draw_population(replace(setting, topics=whole.size), rng, judges=2)
        texts, raw = _drawn_texts(rng, population), _drawn_scores(rng, population)
        parts = np.arange(size).reshape(PARTS, setting.topics)
        cells = [_cells(_track(population, part, texts, raw, seed + at)) for part in parts]
        truths = _cells(_track(population, whole, texts, raw, seed + at))
        for statistic, truth in truths.items():
            own = [each[statistic] for each in cells]
            values = [each.value for each in own if each.value is not None]
            wanted = float(np.mean(values)) if statistic == EXPECTED else truth.value
            for each in own:
                if each.interval is not None and wanted is not None:
                    counts[statistic].add(each.interval, wanted)
    return {statistic: counts[statistic].figures for statistic in CELLS}


def _cells(study: Study) -> dict[str, Number]:
    """Each statistic of the first judge."""
    tables = [
        *topic_orders_section(study).tables,
        run_differences(study),
        models_alike(study),
        *texts_section(study).tables,
        *repeats_section(study, Findings({})).tables,
    ]
    by_name = {table.name: table for table in tables}
    return {statistic: _first(by_name[table], column) for statistic, (table, column) in CELLS.items()}


def _first(table: Table, column: str) -> Number:
    cell = next(table.records())[column]
    assert isinstance(cell, Number)
    return cell


def _track(population: Population, topics: Ints, texts: Texts, raw: Floats, seed: int) -> Study:
    """Two models that are one judge asked twice, so that the report has repeats."""
    study = population.study(topics, seed=seed)
    pairs = (topics[:, None] * DOCS + np.arange(DOCS)).ravel()
    people, *models = study.sets
    asked = [
        replace(each, facts={**each.facts, "provenance": {"identity": "one", "seed": at}})
        for at, each in enumerate(models)
    ]
    scores = np.vstack([np.full(pairs.size, np.nan), raw[:, pairs]])
    own = Texts(texts.words[pairs], texts.overlaps[pairs])
    return replace(study, sets=(people, *asked), raw_scores=scores, texts=own)


def _drawn_texts(rng: np.random.Generator, population: Population) -> Texts:
    """Topics differ in the length of their documents, and longer ones are a little better for the judge."""
    graded = population.graded[1].ravel()
    of_topic = np.repeat(rng.normal(0, 0.5, len(population.graded[0])), DOCS)
    words = np.round(np.exp(4 + of_topic + 0.15 * graded + 0.6 * rng.normal(size=graded.size)))
    return Texts(words.astype(np.float64), rng.random(graded.size))


def _drawn_scores(rng: np.random.Generator, population: Population) -> Floats:
    """Raw scores [model, pair], whose distance differs between topics."""
    noise = np.repeat(np.exp(rng.normal(0, 0.5, len(population.graded[0]))), DOCS)
    graded = np.array([each.ravel() for each in population.graded[1:]])
    return np.asarray(0.3 + 0.05 * graded + 0.02 * noise * rng.normal(size=graded.shape))
