"""The report in short: the key figures that stand at its head, as plain JSON. The rest is in ``sections``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.core.agreement import confusion_matrix, kappa_max, kappa_of_matrix
from evaluation.core.bias import judge_bias, judge_bias_test, relative_delta
from evaluation.core.correlation import kendall_tau_b, pearson, spearman
from evaluation.core.correlation_test import kendall_test
from evaluation.core.estimate import Estimate
from evaluation.core.multiplicity import adjust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.arrays import Floats

    Pair = tuple[str, str]  # topic, docno
    Means = Mapping[str, float | None]  # by tag

SEED = 20240728  # of permutation tests with too many arrangements to try all, and of the intervals
COEFFICIENTS = {"kendall": kendall_tau_b, "spearman": spearman, "pearson": pearson}


@dataclass(frozen=True)
class ReportRun:
    """A run as the report names it.

    ``backbone`` is the model that it rests on, ``type`` how it was made, such as automatic; empty where
    unknown. ``pool_depth`` is how deep it went into the pools: 0 not at all, None where nobody says.
    """

    tag: str
    team: str
    families: tuple[str, ...]
    backbone: str = ""
    type: str = ""
    pool_depth: int | None = None


@dataclass(frozen=True)
class ComparedMeans:
    """Mean of each run by measure and tag under a judge and under people, over the pairs that both grade.

    Null where a run has no value on a topic.
    """

    topic_count: int
    own: Mapping[str, Means]
    peoples: Mapping[str, Means]


@dataclass(frozen=True)
class JudgedSet:
    """One set of qrels, and of the reference the values that the runs have under it.

    ``facts`` are shown as they are: name, version, kind, sha256, pair_count, graded_count, provenance.
    ``values[measure][tag]`` has one value for each of ``topics`` (byte order), null where undefined.
    """

    facts: Mapping[str, Any]
    topics: Sequence[str]
    grades: Mapping[Pair, int]
    values: Mapping[str, Mapping[str, Sequence[float | None]]] = field(default_factory=dict)

    def means(self, measure: str) -> dict[str, float | None]:
        """The mean over all topics by tag; null when one of them has no value, or there is none."""
        return {tag: _mean(values) for tag, values in self.values[measure].items()}

    def shown(self) -> dict[str, Any]:
        """The facts with the counts that follow from them."""
        gap_count = self.facts["pair_count"] - self.facts["graded_count"]
        return {**self.facts, "topic_count": len(self.topics), "gap_count": gap_count}


@dataclass(frozen=True)
class ReportFrame:
    """What holds for the whole report: the grade scale, the relevance level, the runs and the measures."""

    scale: tuple[int, ...]
    level: int
    runs: Sequence[ReportRun]
    measures: Sequence[str]

    @property
    def families(self) -> list[str]:
        """Families that some but not all runs have, by name: there is somebody to compare them with."""
        names = sorted({family for run in self.runs for family in run.families})
        return [name for name in names if 0 < sum(name in run.families for run in self.runs) < len(self.runs)]


def report_content(
    frame: ReportFrame,
    reference: JudgedSet,
    others: Sequence[JudgedSet],
    means: Sequence[ComparedMeans],
    *,
    code_version: str,
) -> dict[str, Any]:
    """Compare each other set with the reference, on the pairs that both have; ``means`` has one for each.

    Gives JSON: an estimate is ``{"value", "reason"}``, of which one is null. Raises GradeOffScale.
    """
    compared = [_compared(frame, reference, other, each) for other, each in zip(others, means, strict=True)]
    return {
        "scale": list(frame.scale),
        "level": frame.level,
        "seed": SEED,
        "code_version": code_version,
        "measures": list(frame.measures),
        "families": frame.families,
        "runs": [{"tag": run.tag, "team": run.team, "families": list(run.families)} for run in frame.runs],
        "reference": reference.shown(),
        "reference_means": {name: reference.means(name) for name in frame.measures},
        "others": compared,
    }


def _compared(
    frame: ReportFrame, reference: JudgedSet, other: JudgedSet, means: ComparedMeans
) -> dict[str, Any]:
    own, peoples = means.own, means.peoples
    return other.shown() | {
        "shared_topic_count": means.topic_count,
        "means": own,
        "reference_means": peoples,
        "correlation": {name: _correlation(peoples[name], own[name]) for name in frame.measures},
        "order_p": {name: _order_p(peoples[name], own[name]) for name in frame.measures},
        "bias": {name: _biases(frame, peoples[name], own[name]) for name in frame.measures},
        **_agreement(frame.scale, reference, other),
    }


def _agreement(scale: tuple[int, ...], reference: JudgedSet, other: JudgedSet) -> dict[str, Any]:
    pairs = sorted(reference.grades.keys() & other.grades.keys())
    matrix = confusion_matrix(
        [reference.grades[pair] for pair in pairs], [other.grades[pair] for pair in pairs], scale
    )
    return {
        "shared_pair_count": len(pairs),
        "kappa": _json(kappa_of_matrix(matrix, scale)),
        "kappa_max": _json(kappa_max(matrix)),
    }


def _correlation(peoples: Means, own: Means) -> dict[str, Any]:
    tags = _shared_tags(peoples, own)
    x, y = _values(peoples, tags), _values(own, tags)
    return {name: _json(coefficient(x, y)) for name, coefficient in COEFFICIENTS.items()}


def _order_p(peoples: Means, own: Means) -> dict[str, Any]:
    """Of Kendall's tau."""
    tags = _shared_tags(peoples, own)
    return _json(kendall_test(_values(peoples, tags), _values(own, tags), seed=SEED).p)


def _biases(frame: ReportFrame, peoples: Means, own: Means) -> dict[str, Any]:
    tags = _shared_tags(peoples, own)
    families_of = {run.tag: run.families for run in frame.runs}
    means, people = _values(own, tags), _values(peoples, tags)
    found: dict[str, dict[str, Any]] = {}
    for family in frame.families:
        flags = np.array([family in families_of[tag] for tag in tags], dtype=np.bool_)
        test = judge_bias_test(means, people, flags, seed=SEED)
        found[family] = {
            "delta": _json(relative_delta(means, flags).delta),
            "reference_delta": _json(relative_delta(people, flags).delta),
            "bias": _json(judge_bias(means, people, flags)),
            "p": _json(test.p),
            "arrangements": test.arrangements,
            "is_exact": test.is_exact,
        }
    # Whoever looks at each family in turn finds one by chance sooner: the words go by the corrected p.
    for tested, corrected in zip(
        found.values(), adjust([each["p"]["value"] for each in found.values()], "holm"), strict=True
    ):
        tested["p_holm"] = tested["p"] if corrected is None else _json(Estimate.of(corrected))
    return found


def _shared_tags(peoples: Means, own: Means) -> list[str]:
    """Runs that have a mean under both."""
    return [tag for tag in peoples if peoples[tag] is not None and own.get(tag) is not None]


def _values(means: Means, tags: Sequence[str]) -> Floats:
    return np.array([means[tag] for tag in tags], dtype=np.float64)


def _mean(values: Sequence[float | None]) -> float | None:
    # Added up in the order of topics, as trec_eval does.
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(values) else None


def _json(estimate: Estimate) -> dict[str, Any]:
    return {"value": estimate.value, "reason": None if estimate.reason is None else str(estimate.reason)}
