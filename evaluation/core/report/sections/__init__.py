"""The sections behind a report's first page, by question: each has a sentence, a figure and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.report.findings import Findings
    from evaluation.core.report.study import Study
    from evaluation.core.report.tables import Section

SECTIONS: tuple[Callable[[Study, Findings], Section | None], ...] = ()
