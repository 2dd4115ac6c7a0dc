"""Coverage of the intervals that single sections of a report make, on parts of one large drawn track.

The runs of a large track are the same on all its topics, so its parts are tracks with the same runs on other
topics, and its own values are the truth.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import spearmanr

from evaluation.core.report.favour.over_grading import item_excess
from evaluation.core.report.tables import Findings, Number
from evaluation.core.report.sections.grading.judge_pairs import models_alike
from evaluation.core.report.sections.grading.retest import repeats_section
from evaluation.core.report.sections.grading.run_differences import run_differences
from evaluation.core.report.sections.grading.texts import texts_section
from evaluation.core.report.sections.ranking.topic_orders import topic_orders_section
from evaluation.core.report.study import PEOPLE
from evaluation.core.report.texts import Texts
from evaluation.core.statistics.correlation.rows import COEFFICIENTS
from tests.simulations.means import TOPICS
from tests.simulations.rows import ORDERS_OF_MODELS, Coverage, Row
from tests.simulations.simulated_tracks import DOCS, Population, Setting, draw_population

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.tables import Table
    from evaluation.core.report.study import Study

PARTS = 25  # tracks of one population
BEYOND = 1  # further topics of a population, as a multiple of those of its tracks
BY_QUARTER = "excess grade of a quarter by length"
WITHIN = "mean rho of excess grade and length within topics"
CELLS = {
    "mean tau within topics": ("tau-by-topic", "mean"),
    "mean difference of the runs' means": ("bland-altman", "mean difference"),
    ORDERS_OF_MODELS: ("judges-alike", "difference"),
    BY_QUARTER: ("over-grading-by-text", "excess grade"),
    WITHIN: ("over-grading-within-topics", "rho"),
    "mean distance of raw scores": ("repeats", "mean distance of raw scores"),
}
EXPECTED = ORDERS_OF_MODELS
"""Its estimand is the value on equally many other topics: the mean over all tracks of a population, with
those of its further topics. The mean of the tracks alone is nearer to each of them than the truth is."""


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
        studies = [_track(population, part, texts, raw, seed + at) for part in parts]
        cells = [_cells(each) for each in studies]
        every = _track(population, whole, texts, raw, seed + at)
        truths = {**_values(every), EXPECTED: _expected(every, setting.topics)}
        for statistic in CELLS:
            own = [each[statistic] for each in cells]
            wanted = truths.get(statistic)
            for each, study in zip(own, studies, strict=True):
                if statistic == BY_QUARTER:
                    wanted = _first_quarter(every, study)
                if each.interval is not None and wanted is not None:
                    counts[statistic].add(each.interval, wanted)
    return {statistic: counts[statistic].figures for statistic in CELLS}


def _cells(study: Study) -> dict[str, Number]:
    """Each statistic of the first judge."""
    by_name = {
        table.name: table for table in (*_tables(study), models_alike(study), *texts_section(study).tables)
    }
    return {statistic: _first(by_name[table], column) for statistic, (table, column) in CELLS.items()}


def _tables(study: Study) -> tuple[Table, ...]:
    repeats = repeats_section(study, Findings({})).tables
    return (*topic_orders_section(study).tables, run_differences(study), *repeats)


def _values(study: Study) -> dict[str, float | None]:
    """Truths that hold for all tracks, without the jackknife of texts, which would take minutes."""
    by_name = {table.name: table for table in _tables(study)}
    found = {
        statistic: _first(by_name[table], column).value
        for statistic, (table, column) in CELLS.items()
        if table in by_name
    }
    assert study.texts is not None
    items = item_excess(study, study.others[0])
    words, topics = study.texts.words[items.pairs], study.topic_of_pair[items.pairs]
    rhos = [float(spearmanr(items.excess[own], words[own]).statistic) for own in _rows_of(topics)]
    found[WITHIN] = float(np.nanmean(rhos))
    return found


def _expected(every: Study, topics: int) -> float:
    """The mean over tracks of so many topics: tau of the two models minus their mean tau with people."""
    values = every.shared_values(0, PEOPLE, *every.others).values  # [set, run, topic]
    by_track = values.reshape(*values.shape[:2], -1, topics).mean(axis=3)
    people, one, other = by_track.swapaxes(1, 2)
    tau = COEFFICIENTS["tau"]
    return float(np.nanmean(tau(one, other) - (tau(people, one) + tau(people, other)) / 2))


def _first_quarter(every: Study, track: Study) -> float:
    """The mean excess over all topics of items no longer than those of a track's first quarter."""
    assert every.texts is not None
    assert track.texts is not None
    items = item_excess(every, every.others[0])
    is_in = every.texts.words[items.pairs] <= np.quantile(track.texts.words, 0.25)
    return float(items.excess[is_in].mean())


def _rows_of(topics: Ints) -> list[Ints]:
    """The rows of each topic."""
    order = np.argsort(topics, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(topics[order])) + 1)


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
