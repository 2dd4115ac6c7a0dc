"""Build the findings of a study, section by section."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from evaluation.core.report.favour.favours import find_favours
from evaluation.core.report.findings import Findings
from evaluation.core.report.sections.costs import costs_section
from evaluation.core.report.sections.families.bias import bias_section
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.grading.judge_pairs import judge_pairs_section
from evaluation.core.report.sections.grading.raw_scores import raw_scores_section
from evaluation.core.report.sections.grading.retest import repeats_section
from evaluation.core.report.sections.grading.texts import texts_section
from evaluation.core.report.sections.paper.tables import paper_section
from evaluation.core.report.sections.ranking.decisions import decisions_section
from evaluation.core.report.sections.ranking.order import order_section
from evaluation.core.report.sections.ranking.strata import strata_section, topics_of_strata
from evaluation.core.report.sections.ranking.topic_orders import topic_orders_section
from evaluation.core.report.sections.ranking.variance import variance_section
from evaluation.core.report.sections.result_pages.pages import pages_section
from evaluation.core.report.sections.reusability import reusability_section
from evaluation.core.report.sections.saving.topics import saving_section
from evaluation.core.report.sections.summary.guardrails import guardrails_section
from evaluation.core.report.sections.summary.in_short import in_short_section
from evaluation.core.report.sections.summary.methods import methods_section
from evaluation.core.report.study import PEOPLE
from evaluation.core.report.teams import best_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from evaluation.core.report.findings import Section
    from evaluation.core.report.study import Study


def build_report(
    study: Study, *, code_version: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None
) -> Findings:
    """Compute all sections. The same study gives the same findings in every process.

    ``on_progress(done, total)`` is called before each section and at the end. Raises GradeOffScale.
    """
    sections: list[Section] = []
    steps = list(_steps(study, lambda: Findings({}, tuple(sections))))
    for done, step in enumerate(steps):
        on_progress(done, len(steps))
        sections.append(step())
    on_progress(len(steps), len(steps))
    first = in_short_section(study, Findings({}, tuple(sections)))
    return Findings(_facts(study, code_version), (first, *sections))


def _steps(study: Study, so_far: Callable[[], Findings]) -> Iterator[Callable[[], Section]]:
    """Yield the section builders in order; skip those that compare judges if the study has no judge.

    ``so_far`` returns the findings of the sections built before the caller.
    """
    if study.others:
        yield partial(order_section, study)
        yield partial(grades_section, study)
        yield lambda: bias_section(study, find_favours(study))
        yield partial(raw_scores_section, study)
        yield partial(topic_orders_section, study)
        yield lambda: judge_pairs_section(study, so_far())
        yield partial(variance_section, study)
        yield partial(texts_section, study)
        yield lambda: repeats_section(study, so_far())
        yield lambda: costs_section(study, so_far())
        yield lambda: paper_section(study, so_far())
    yield partial(decisions_section, study)
    yield partial(reusability_section, study)
    if study.others:
        yield partial(saving_section, study)
    yield partial(strata_section, study)
    yield partial(pages_section, study)
    if study.others:
        yield lambda: guardrails_section(study, so_far())
    yield lambda: methods_section(study, so_far())


def _facts(study: Study, code_version: str) -> dict[str, Any]:
    """Facts of the study: the choices of the page's form, and the basis of every number."""
    design = study.design
    return {
        "basis": study.basis,
        "code_version": code_version,
        "measures": list(study.measures),
        "people": study.name(PEOPLE),
        "judges": [study.name(judge) for judge in study.others],
        "qrels": [str(each.facts["sha256"]) for each in study.sets],
        "kinds": {each.name: str(each.facts["kind"]) for each in study.sets},
        "joined": {each.name: each.facts.get("joined") for each in study.sets},
        "families": study.families,
        "runs": [{"tag": run.tag, "team": run.team, "families": list(run.families)} for run in study.runs],
        "best_of_teams": best_tags(study),
        "strata": topics_of_strata(study),
        "scale": list(design.scale),
        "level": design.level,
        "seed": design.seed,
        "chosen": design.chosen,
        "topic_count": int(study.is_judged[PEOPLE].sum()),
        "graded_count": int((study.grades[PEOPLE] >= 0).sum()),
    }
