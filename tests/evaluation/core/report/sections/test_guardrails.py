"""The checklist: what each check finds, and its state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluation.core.measures.lookup import ABSENT
from evaluation.core.report.build import build_report
from evaluation.core.report.tables import Conclusion, ConclusionCode, CorrectionScope, Findings, Number
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.summary.guardrails import guardrails_section
from evaluation.core.report.study import Study
from tests.evaluation.core.report.judged_study import ASKED, judged_study
from tests.evaluation.core.report.study import small_study


@pytest.fixture(scope="module")
def study() -> Study:
    return judged_study()


def _found(
    study: Study, guardrail: str, judge: str = "all", findings: Findings | None = None
) -> tuple[str, ConclusionCode]:
    table = guardrails_section(study, findings or Findings({})).tables[0]
    record = table.record(guardrail=guardrail, judge=judge)
    assert record
    state = record["state"]
    assert isinstance(state, Conclusion)
    return str(record["what this report found"]), state.outcome


def _with(study: Study, **provenance: Any) -> Study:
    """The study with another provenance of the first model."""
    sets = list(study.sets)
    sets[1] = replace(sets[1], facts=dict(sets[1].facts) | {"provenance": ASKED | provenance})
    return replace(study, sets=tuple(sets))


def test_few_topics_and_teams_ask_for_caution(study: Study) -> None:
    assert _found(study, "topics") == ("12 topics; at least 25 are required", ConclusionCode.CAUTION)
    assert _found(study, "teams") == ("3 teams; at least 5 are required", ConclusionCode.CAUTION)


def test_only_topics_with_a_grade_count(study: Study) -> None:
    # Qrels may name topics whose items are all in the pool, but not judged (grade -1).
    grades = study.grades.copy()
    grades[0, study.topic_of_pair > 0] = -1
    one = replace(study, grades=grades)
    assert _found(one, "topics") == ("1 topic; at least 25 are required", ConclusionCode.CAUTION)


def test_unnamed_teams_cannot_be_counted(study: Study) -> None:
    unnamed = replace(study, runs=tuple(replace(run, team="") for run in study.runs))
    assert _found(unnamed, "teams")[1] is ConclusionCode.CANNOT_TELL


def test_a_second_assessor_is_a_yardstick(study: Study) -> None:
    assert _found(study, "second assessor")[1] is ConclusionCode.CAUTION
    small = small_study()
    found, state = _found(small, "second assessor", findings=Findings({}, (grades_section(small),)))
    assert state is ConclusionCode.MET
    assert found.startswith("kappa of people with second: 0.")


@pytest.mark.parametrize(("more", "state"), [(0, ConclusionCode.MET), (1, ConclusionCode.CAUTION)])
def test_leniency_that_is_the_same_on_every_topic_is_known(
    study: Study, more: int, state: ConclusionCode
) -> None:
    """No topic changes it, so it has no interval; that is not a lack of data."""
    people = np.where(study.grades[0] >= 0, study.grades[0] % 2, study.grades[0])
    judge = np.where(people >= 0, people + more, people)
    same = replace(study, grades=np.array([people, judge, *study.grades[2:]]))
    findings = Findings({}, (grades_section(same),))
    name = same.name(1)
    assert _found(same, "leniency", name, findings) == (f"its mean grade minus people's: +{more}.00", state)


def test_circularity_needs_the_models_of_all_runs(study: Study) -> None:
    assert _found(study, "circularity", "llava")[1] is ConclusionCode.CANNOT_TELL
    known = replace(study, runs=tuple(replace(run, backbone="bm25") for run in study.runs))
    assert _found(known, "circularity", "llava")[1] is ConclusionCode.MET
    one = replace(known, runs=(replace(known.runs[0], backbone="LLaVA"), *known.runs[1:]))
    found, state = _found(one, "circularity", "llava")
    assert (found, state) == ("1 of 6 runs have the same backbone as the judge", ConclusionCode.CAUTION)


def test_grades_fitted_to_the_topics_ask_for_caution(study: Study) -> None:
    assert _found(study, "tuned on these topics", "llava")[1] is ConclusionCode.MET
    assert _found(study, "tuned on these topics", "clip")[1] is ConclusionCode.CANNOT_TELL
    fitted = {"rule": "fitted", "people": "people 1", "fitting_topics": ["T00", "elsewhere"]}
    found, state = _found(_with(study, mapping=fitted), "tuned on these topics", "llava")
    assert found == "fitted to people's grades of 2 topics, 1 of them compared here"
    assert state is ConclusionCode.CAUTION
    elsewhere = fitted | {"fitting_topics": ["elsewhere"]}
    assert _found(_with(study, mapping=elsewhere), "tuned on these topics", "llava")[1] is ConclusionCode.MET


def test_planted_orders_that_raise_grades_ask_for_caution(study: Study) -> None:
    found, state = _found(study, "prompt injection", "llava")
    assert found == "raw score +0.2500 by an instruction in the text; a higher grade in 3 of 10 pairs"
    assert state is ConclusionCode.CAUTION
    assert _found(study, "prompt injection", "clip")[1] is ConclusionCode.CANNOT_TELL
    none = [{"place": "text", "scene_count": 10, "shift": -0.1, "raised_count": 0}]
    assert _found(_with(study, susceptibility=none), "prompt injection", "llava")[1] is ConclusionCode.MET


def test_gaps_above_one_in_a_hundred_ask_for_caution(study: Study) -> None:
    assert _found(study, "gaps", "llava") == ("0 of 192 pairs have no grade (0.0 %)", ConclusionCode.MET)
    sets = list(study.sets)
    sets[1] = replace(sets[1], facts=dict(sets[1].facts) | {"pair_count": 200})
    found, state = _found(replace(study, sets=tuple(sets)), "gaps", "llava")
    assert (found, state) == ("8 of 200 pairs have no grade (4.0 %)", ConclusionCode.CAUTION)


def test_pairs_of_people_that_a_judge_lacks_are_gaps_of_its(study: Study) -> None:
    grades = study.grades.copy()
    grades[1, ::2] = ABSENT
    found = _found(replace(study, grades=grades), "gaps", "llava")
    assert found == ("96 of 192 pairs that people graded have no grade (50.0 %)", ConclusionCode.CAUTION)


def test_thin_topics_are_counted(study: Study) -> None:
    strict = replace(study, design=replace(study.design, level=2))
    relevant = [(study.grades[0][study.topic_of_pair == topic] >= 2).sum() for topic in range(12)]
    thin = sum(count < 3 for count in relevant)
    found, state = _found(strict, "thin topics")
    assert found == f"{thin} of 12 topics have fewer than 3 relevant items"
    assert state is (ConclusionCode.CAUTION if thin else ConclusionCode.MET)


def test_every_p_of_the_report_is_counted_by_its_role() -> None:
    small = small_study()
    report = build_report(small, code_version="1")
    before = [each for each in report.sections if each.name not in ("in-short", "guardrails", "methods")]
    exploratory = 0
    for table in (table for section in before for table in section.tables):
        for place, column in enumerate(table.columns):
            if column.role is CorrectionScope.EXPLORATORY:
                cells = [row[place] for row in table.rows]
                exploratory += sum(
                    cell.value is not None if isinstance(cell, Number) else cell is not None for cell in cells
                )
    found, state = _found(small, "many tests", findings=Findings({}, tuple(before)))
    assert found.endswith(f"{exploratory:,} are exploratory")
    assert state is ConclusionCode.CAUTION
    known = report.table("guardrails")
    record = known and known.record(guardrail="many tests")
    assert record
    assert record["what this report found"] == found


def test_methods_say_a_finding_once_for_all_judges_with_it() -> None:
    """Both llavas have the same tests of prompt injection; the leniency of each is its own."""
    sections = build_report(judged_study(), code_version="1").sections
    section = next(each for each in sections if each.name == "methods")
    said = [each for each in section.says if "Guardrail “prompt injection”" in each]
    assert [each.partition(":")[0] for each in said] == [
        "Guardrail “prompt injection”, llava and llava again",
        "Guardrail “prompt injection”, clip",
    ]
    assert sum("Guardrail “leniency”" in each for each in section.says) == 3
