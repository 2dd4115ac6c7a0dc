"""The family in focus of figures, and the CSS class of each set of qrels."""

from evaluation.core.figures.series import series_classes
from evaluation.core.report.study import Study


def focus_family(study: Study) -> str:
    """The first family whose name contains "clip", else the first by name; empty without families."""
    named = [name for name in study.families if "clip" in name.casefold()]
    return next(iter(named or study.families), "")


def series_of(study: Study) -> dict[str, str]:
    """CSS class of each set of qrels by its name."""
    return series_classes(
        (each.name, str(each.facts.get("kind", "")), each.facts.get("joined")) for each in study.sets
    )
