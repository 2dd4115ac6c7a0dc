"""The sections behind a report's first page, by question: each has a sentence, a figure and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.sections.differences import differences_section
from evaluation.core.report.sections.families import families_section
from evaluation.core.report.sections.grades import grades_section
from evaluation.core.report.sections.methods import methods_section
from evaluation.core.report.sections.order import order_section
from evaluation.core.report.sections.paper import paper_section

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.report.findings import Findings
    from evaluation.core.report.study import Study
    from evaluation.core.report.tables import Section

SECTIONS: tuple[Callable[[Study, Findings], Section | None], ...] = (
    order_section,
    grades_section,
    families_section,
    differences_section,
    methods_section,
    paper_section,
)
