"""The family that figures show in red, and the CSS class of each set of qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.figures.series import series_classes

if TYPE_CHECKING:
    from evaluation.core.report.study import Study


def focus_family(study: Study) -> str:
    """The first family whose name contains "clip", else the first by name; empty without families."""
    named = [name for name in study.families if "clip" in name.casefold()]
    return next(iter(named or study.families), "")


def classes_of(study: Study) -> list[str]:
    """CSS class of each set of qrels in figures."""
    return series_classes([str(each.facts.get("kind", "")) for each in study.sets])


def models_of(study: Study) -> list[int]:
    """Indices of the model-made sets; of all sets but people's if none is from a model."""
    models = [place for place in study.others if study.sets[place].facts.get("kind") == "model"]
    return models or list(study.others)
