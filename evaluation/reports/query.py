"""The measure and the family that a page of a report shows, and the query string that its links keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from evaluation.reports.models import Report


def chosen(given: QueryDict, facts: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the measure and the family of a URL, or the first ones; None if runs have no families."""
    families = facts["families"]
    return _choice(given, "measure", facts["measures"]), _choice(
        given, "family", families
    ) if families else None


def shared_query(report: Report, measure: str, family: str | None) -> str:
    """Return the query of links between a report's pages: its measure, its family, and itself if chosen."""
    parts = {"measure": measure} | ({"family": family} if family else {})
    return urlencode(parts if not report.choice else parts | {"of": str(report.pk)})


def _choice(given: QueryDict, name: str, choices: Sequence[str]) -> str:
    return next((each for each in choices if each == given.get(name)), choices[0])
