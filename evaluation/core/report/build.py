"""From a study to its report: the sections, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.content import Report
from evaluation.core.report.sections.bias import bias_section
from evaluation.core.report.sections.decisions import decisions_section
from evaluation.core.report.sections.grades import grades_section
from evaluation.core.report.sections.methods import methods_section
from evaluation.core.report.sections.order import order_section
from evaluation.core.report.sections.pages import pages_section
from evaluation.core.report.sections.raw_scores import raw_scores_section
from evaluation.core.report.sections.reusability import reusability_section
from evaluation.core.report.sections.saving import saving_section
from evaluation.core.report.sections.strata import strata_section

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.report.content import Section
    from evaluation.core.report.study import Study

SECTIONS: tuple[Callable[[Study], Section], ...] = (
    order_section,
    grades_section,
    bias_section,
    raw_scores_section,
    decisions_section,
    reusability_section,
    saving_section,
    strata_section,
    pages_section,
    methods_section,
)


def build_report(
    study: Study, *, code_version: str, told: Callable[[int, int], None] = lambda _done, _total: None
) -> Report:
    """All sections. The same study gives the same report in every process.

    ``told`` hears before each section, and at the end, how many of how many are done. Raises GradeOffScale.
    """
    facts = {
        "basis": study.basis,
        "code_version": code_version,
        "measures": list(study.measures),
        "judges": [study.name(judge) for judge in study.others],
        "families": study.families,
    }
    sections = []
    for done, section in enumerate(SECTIONS):
        told(done, len(SECTIONS))
        sections.append(section(study))
    told(len(SECTIONS), len(SECTIONS))
    return Report(facts, tuple(sections))
