"""Public functions: values of measures, as ``trackside score`` computes them."""

import math
import warnings
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import TypeAlias

from trackside.errors import InputError
from trackside.files.corpora import Corpus, oddities_of
from trackside.library.inputs import QrelsInput, RunInput, each_qrels, each_run, warn_of_ids
from trackside.measuring import Evaluation, Measure, parse_measure
from trackside.measuring import evaluate as evaluated
from trackside.measuring.corpora import lost_topics, short_rankings, within_corpora
from trackside.measuring.names import all_families

Measures: TypeAlias = str | Measure | Iterable[str | Measure]
"""One or several measures, by name or as ``evaluate`` returns them."""

MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")


def evaluate(
    runs: RunInput | Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput | Iterable[QrelsInput] | Mapping[str, QrelsInput],
    measures: Measures = MEASURES,
    *,
    level: int | None = None,
    gains: Mapping[int, float] | None = None,
    max_results: int | None = None,
    is_judged_only: bool = False,
    is_complete: bool = True,
    single: bool = False,
    skip_self: bool = False,
    corpora: Mapping[str, str | Path | Iterable[str]] | None = None,
) -> Evaluation:
    """Values of measures for R runs under Q sets of qrels over T topics, in trec_eval's numbers.

    ``runs`` is one run, a list of runs (read one after another, so a generator of thousands works), or a
    mapping of names to runs; ``qrels`` likewise. ``measures`` are one or several names such as nDCG@10,
    AP(rel=2) or ndcg_cut_10. ``level`` is the lowest relevant grade for measures
    whose name gives none (1), ``gains`` the gain of each grade. ``max_results`` cuts each topic (trec_eval
    -M). ``is_judged_only`` drops results without a grade (-J). ``is_complete`` counts a judged topic without
    results as 0 (-c). ``single`` compares scores as 32-bit numbers, as pytrec_eval does. ``skip_self`` drops
    results whose docno is the topic, as BEIR does. ``corpora`` are docnos, or lists of them in files, by
    name: values are then within each corpus, under qrels called as "people/small"; what should be known of
    them is reported as ``CorpusWarning``.

    The result has ``topic_frame()`` and ``mean_frame()`` (polars; means with 95 % intervals), and the arrays
    ``values[run, qrels, topic, measure]`` and ``means()[run, qrels, measure]``, NaN where undefined.
    Runs whose topics or documents hardly meet those of the qrels are reported as ``IdsDoNotMeet`` warnings;
    ``meetings[run][qrels]`` has the counts. Raises InputError.

    >>> evaluation = evaluate({"bm25": {"1": {"a": 2.0, "b": 1.0}}}, {"1": {"b": 1}}, ["RR", "P@1"])
    >>> evaluation.means()[0, 0].tolist()
    [0.5, 0.0]
    """
    for name, value in (("level", level), ("max_results", max_results)):
        if value is not None and not isinstance(value, Integral):
            raise InputError(f"{name} {value!r}: give a whole number.")
    for grade, gain in (gains or {}).items():
        if not (isinstance(grade, Integral) and isinstance(gain, Real) and math.isfinite(gain)):
            raise InputError(f"gains {grade!r}: {gain!r}: give a whole grade and a finite gain.")
    sets = each_qrels(qrels)
    parts = within_corpora(sets, _corpora(corpora or {}))
    evaluation = evaluated(
        (run.without_self() if skip_self else run for run in each_run(runs, single=single)),
        parts,
        several(measures),
        level=level,
        gains=gains,
        max_results=max_results,
        is_judged_only=is_judged_only,
        is_complete=is_complete,
    )
    warn_of_ids(evaluation)
    for line in (*lost_topics(sets, parts), *short_rankings(evaluation)):
        warnings.warn(line, CorpusWarning, stacklevel=2)
    return evaluation


class CorpusWarning(UserWarning):
    """Values within a corpus are not what a search in it, or another corpus, would have."""


def _corpora(given: Mapping[str, str | Path | Iterable[str]]) -> list[Corpus]:
    corpora = [
        Corpus.from_file(source, name=name)
        if isinstance(source, (str, Path))
        else Corpus.of(source, name=name)
        for name, source in given.items()
    ]
    for line in oddities_of(corpora):
        warnings.warn(line, CorpusWarning, stacklevel=3)
    return corpora


def measures() -> list[str]:
    """Names of all measures, such as "AP", "nDCG" or "P@k"; those of installed packages come last.

    @k is a cutoff that the name needs, @x a share. Most of the others take one as well.

    >>> [name for name in measures() if name.startswith("Set")]
    ['SetP', 'SetRelP', 'SetR', 'SetAP', 'SetF']
    """
    return [family.full_name for family in all_families()]


def several(measures: Measures) -> list[str | Measure]:
    """One measure, or several, as a list. Raises InputError."""
    names = list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    if stray := [name for name in names if not isinstance(name, (str, Measure))]:
        raise InputError(f"a {type(stray[0]).__name__} is not a measure. Use one such as nDCG@10, as text.")
    return names


def one_measure(name: str | Measure, *, ranks_runs: bool = False) -> Measure:
    """Return the measure; ``ranks_runs`` if a higher value must be better. Raises InputError."""
    (checked,) = several([name])
    measure = parse_measure(checked) if isinstance(checked, str) else checked
    if ranks_runs and not measure.family.is_higher_better:
        raise InputError(f"{measure}: higher is not better. Use one such as nDCG@10.")
    return measure
