"""The family in focus of figures, the CSS class of each set of qrels, and the judges that titles may name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.figures.series import series_classes
from evaluation.core.report.study import PEOPLE
from evaluation.core.uncertainty import FEWEST_TOPICS

if TYPE_CHECKING:
    from evaluation.core.report.study import Study


def focus_family(study: Study) -> str:
    """The first family whose name contains "clip", else the first by name; empty without families."""
    named = [name for name in study.families if "clip" in name.casefold()]
    return next(iter(named or study.families), "")


def classes_of(study: Study) -> list[str]:
    """CSS class of each set of qrels in figures."""
    facts = [each.facts for each in study.sets]
    return series_classes(
        [str(each.get("kind", "")) for each in facts], [each.get("joined") for each in facts]
    )


def series_of(study: Study) -> dict[str, str]:
    """CSS class of each set of qrels by its name."""
    names = [study.name(place) for place in range(len(study.sets))]
    return dict(zip(names, classes_of(study), strict=True))


def well_covered(study: Study) -> list[int]:
    """Judges that titles may name: those with enough topics for intervals, or all if none has."""
    found = [place for place in study.others if study.shared_topics(PEOPLE, place).size >= FEWEST_TOPICS]
    return found or list(study.others)


def named_judges(study: Study) -> set[str]:
    """Names of the judges that titles may name."""
    return {study.name(place) for place in well_covered(study)}


def models_of(study: Study) -> list[int]:
    """Indices of the model-made sets; of all sets but people's if none is from a model."""
    models = [place for place in study.others if study.sets[place].facts.get("kind") == "model"]
    return models or list(study.others)
