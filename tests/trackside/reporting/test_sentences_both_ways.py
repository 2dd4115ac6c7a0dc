"""Every sentence form of a report appears in one of these reports, and is absent from another.

Forms are read from the code: the texts of the functions that write sentences. A new form fails until a report
here makes it appear and one makes it vanish.
"""

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.trackside.reporting.sections.test_studies import STUDIES
from tests.trackside.reporting.study import Grades, graded_set
from tests.trackside.reporting.views.made import (
    FAMILY,
    MEASURE,
    PAIRS,
    ends,
    family,
    findings,
    grades,
    judge,
    leader,
    order,
    second,
)
from trackside.files import Rankings
from trackside.findings.plain import to_plain
from trackside.findings.results import JudgeFindings, OtherRuns, SecondTau, TippingFinding
from trackside.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    OrderVerdict,
)
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, ReportRun
from trackside.reporting.findings import Findings
from trackside.reporting.sections import differences, guardrails, methods, pool
from trackside.reporting.sections import families as families_section
from trackside.reporting.sections import grades as grades_section
from trackside.reporting.sections import order as order_section
from trackside.reporting.sections import paper as paper_section
from trackside.reporting.study import study_of
from trackside.reporting.views import first_page as first_page_view
from trackside.reporting.views import lead, sentences
from trackside.reporting.views.first_page import front_page
from trackside.statistics.estimate import Reason

VIEWS = (lead, sentences, first_page_view)
SECTIONS = (
    order_section,
    grades_section,
    families_section,
    differences,
    methods,
    guardrails,
    pool,
    paper_section,
)
ALWAYS = (methods, pool)  # how every report was made
GRADED = " graded by people)"  # the counts of every report
LETTERS = 7  # of a form; shorter texts are joints


def texts_of(node: ast.AST) -> Iterator[str]:
    """The texts in a function, without its docstring, formats and messages of errors."""
    if isinstance(node, ast.FormattedValue):
        yield from texts_of(node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Raise):
        body = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            body.remove(node.body[0])
        for child in body:
            yield from texts_of(child)


def forms(module: ModuleType) -> list[str]:
    """The texts with words in the functions of a module; in a section only those with a blank."""
    tree = ast.parse(Path(str(module.__file__)).read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = dict.fromkeys(text for function in functions for text in texts_of(function))
    return [
        text for text in found if sum(map(str.isalpha, text)) >= LETTERS and (module in VIEWS or " " in text)
    ]


def made() -> Iterator[Findings]:
    """Findings by hand: each verdict on each question, what is missing, and many judges."""
    for verdict in OrderVerdict:
        yield findings(judge(order=order(verdict)))
        yield findings(*(judge(f"judge {at}", order=order(verdict)) for at in range(5)))
    good = judge("good")
    yield findings(good, judge("bad", order=order(OrderVerdict.REVERSE)))
    without_tau = replace(order(OrderVerdict.UNDEFINED), tau=None, topic_count=74, reason=Reason.ONE_RUN)
    hanging = replace(order(OrderVerdict.UNDEFINED), topic_count=74, reason=Reason.NO_REPLICATES)
    for pairs in (None, replace(PAIRS, added=0), replace(PAIRS, told=0), replace(PAIRS, reversed=0)):
        yield findings(judge(order=replace(order(OrderVerdict.NO_RELATION), pairs=pairs)))
    for other in (OtherRuns(team_count=8, low=0.3, high=0.7), OtherRuns(team_count=8)):
        known = judge("one", order=replace(order(), other_runs=other))
        yield from (findings(known), findings(known, replace(known, name="two")), findings(known, good))
    yield from (findings(judge(order=undefined)) for undefined in (without_tau, hanging))
    for kappa in (grades(None), replace(grades(), low=None)):
        yield findings(replace(good, grades=kappa))
    for grade in GradeVerdict:
        tau = SecondTau(
            verdict=grade, judge_tau=0.3, second_tau=0.4, low_difference=-0.2, high_difference=0.1
        )
        compared = judge(second=replace(second(grade, Reason.TOO_FEW_TOPICS), tau=tau))
        yield from (findings(compared), findings(compared, replace(compared, name="other")))
    yield from map(findings, rated())
    above = judge("up", families=[family(favour=FavourVerdict.FAVOURS)])
    yield from (findings(above), findings(above, judge("too", families=[family()])))
    honest = judge("honest", families=[family(FamilyVerdict.WITHIN, p=0.4)])
    yield from (findings(honest), findings(honest, replace(honest, name="other")))
    yield from unmet(findings(good))


def rated() -> Iterator[JudgeFindings]:
    """Judges that rate the family in every way."""
    for verdict in FamilyVerdict:
        yield judge(families=[family(verdict)])
        for favour in FavourVerdict:
            yield judge(families=[family(verdict, favour=favour)])
    for general in GeneralVerdict:
        for verdict in (FamilyVerdict.ABOVE, FamilyVerdict.BELOW):
            yield judge(families=[family(verdict, general=general)])
    yield judge(families=[ends(family(FamilyVerdict.WITHIN, p=None), 0.0, 0.0)])
    weak = family(favour=FavourVerdict.NOT_SHOWN)
    assert weak.favour
    undecided = replace(weak.favour, verdict=FavourVerdict.NOT_SAID, reason=Reason.WEAK_FIRST_STAGE)
    yield judge(families=[replace(weak, favour=undecided)])
    yield judge(families=[replace(family(), tipping=TippingFinding(candidate_count=83))])


def unmet(good: Findings) -> Iterator[Findings]:
    """Reports without something, and with runs that hardly meet people's topics."""
    yield replace(good, yardsticks=())
    yield replace(good, facts=replace(good.facts, families=()))
    for count in (1, 3, 5):
        lines = tuple(f"run{at}: none of its topics" for at in range(count))
        yield replace(good, facts=replace(good.facts, unmet=lines))
    (people,) = good.yardsticks
    chance = replace(people, grades=replace(people.grades, kappa=0.02, low=-0.06, high=0.10))
    yield replace(good, yardsticks=(chance,))
    for first, others in ((("r1",), ("r2",)), (("r1",), ()), (("r1", "r2"), ()), ((), ())):
        yield findings(leaders=[leader(first, others)])
    yield findings(leaders=[leader(["r1"], ["r2", "r3", "r4", "r5"])])
    yield findings(leaders=[leader(["r1"], is_tested=False)])
    yield replace(findings(leaders=[leader(["r1"])]), yardsticks=())


def phrases_of(found: JudgeFindings) -> list[str | None]:
    """What the sections say of a judge."""
    shown, beside = found.order(MEASURE), found.second
    rates = found.family(MEASURE, FAMILY)
    of_family = [sentences.family_words(rates, 5.0), sentences.favour_words(rates)] if rates else []
    return [
        sentences.order_words(shown),
        sentences.pairs_words(shown),
        sentences.other_runs_words(shown.other_runs),
        sentences.grades_words(found.grades),
        sentences.second_words(beside),
        sentences.second_tau_words(beside.tau),
        *of_family,
        sentences.general_words(rates) if rates else None,
    ]


def front(report: Findings) -> str:
    """All texts of the first page, and the phrases that the sections are made of."""
    page = front_page(report)
    of_rows = [f"{row.so.words}: {row.so.reason}" for row in page.judges if row.so]
    phrases = [phrase or "" for found in report.judges for phrase in phrases_of(found)]
    first = [page.lead, page.advice or "", page.paragraph, page.limit, *page.notes, *page.warnings]
    return "\n".join([*first, *of_rows, *phrases])


def behind(report: Findings) -> dict[str, str]:
    """All texts of the sections by their modules' names."""
    texts = {section.name: _json(section) for section in report.sections}
    cautions = [table for table in report.tables() if table.name == "guardrails"]
    says = [section.says for section in report.sections if section.name == "methods"]
    return texts | {"pool": texts["methods"], "guardrails": _json([cautions, says])}


def _json(value: object) -> str:
    return unescape(json.dumps(to_plain(value), ensure_ascii=False))


@cache
def by_hand() -> list[str]:
    """What the reports made by hand print."""
    return list(map(front, made()))


@cache
def of_studies() -> list[dict[str, str]]:
    """What the sections of reports of studies print, with and without grades of models."""
    return [behind(build_report(study, code_version="1")) for study in studies()]


TRUTH: Grades = {
    f"T{topic:02d}": {f"d{place}": (place + topic) % 3 for place in range(12)} for topic in range(26)
}
SHIFTED: Grades = {
    topic: {docno: min(2, grade + (place + int(docno[1:])) % 2) for docno, grade in own.items()}
    for place, (topic, own) in enumerate(TRUTH.items())
}
SAFE: dict[str, Any] = {
    "backbone": "llava",
    "mapping": {"rule": "paper-2024"},
    "prompt_version": 3,
    "susceptibility": [{"place": "text", "scene_count": 9, "shift": 0.2, "raised_count": 0, "gap_count": 0}],
}
FITTED = {"mapping": {"rule": "f1-cuts", "people": "people", "fitting_topics": ["T01", "T99"]}}
OF_SCORES = {"susceptibility": [SAFE["susceptibility"][0] | {"raised_count": None}]}
POOLED = {"pools": ("first", "second"), "assessors": {"a": 100}}


def study(
    depths: tuple[int | None, ...] = (10,) * 6,
    *,
    judge: Grades = TRUTH,
    provenance: dict[str, Any] = SAFE,
    people: Grades = TRUTH,
    **design: Any,
) -> Any:
    """Six runs of as many teams on 26 topics with a second assessor: no caution is due."""
    runs = [
        ReportRun(f"r{at}", f"t{at}", ("A",) if at % 2 else (), backbone="bm25", pool_depth=depth)
        for at, depth in enumerate(depths)
    ]
    rankings = [
        Rankings.from_dict(
            {
                topic: {docno: (at + place) % 7 for place, docno in enumerate(own)}
                for topic, own in TRUTH.items()
            },
            tag=run.tag,
        )
        for at, run in enumerate(runs)
    ]
    sets = [
        graded_set("people", people, "human", provenance=POOLED),
        graded_set("second", SHIFTED, "second"),
        graded_set("judge", judge, provenance=provenance),
    ]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=20, **design), runs, rankings, sets)


def without_errors_to_end_the_excess() -> Any:
    """The judge grades as people do what runs of the family retrieved, and one result there higher."""
    topics = [f"T{at:02d}" for at in range(12)]
    people: Grades = {topic: {"a": 2, "b": 1, "n": 2, "m": 2} for topic in topics}
    people["T00"]["a2"] = 1
    judge: Grades = {topic: own | {"n": 0, "m": at % 3} for at, (topic, own) in enumerate(people.items())}
    judge["T00"]["a2"] = 2
    retrieved = {"in": {"a": 2.0, "a2": 1.0}, "in too": {"a": 1.0}, "out": {"b": 1.0}, "out too": {"b": 1.0}}
    runs = [ReportRun(tag, tag, ("A",) if tag.startswith("in") else ()) for tag in retrieved]
    rankings = [Rankings.from_dict(dict.fromkeys(topics, own), tag=tag) for tag, own in retrieved.items()]
    sets = [graded_set("people", people, "human"), graded_set("judge", judge)]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10",), replicates=20), runs, rankings, sets)


def studies() -> Iterator[Any]:
    """Studies with and without everything that a section speaks of."""
    yield from STUDIES.values()
    for depths in ((10,) * 6, (0,) * 6, (10, 20, 0, 10, 10, 10), (None, 10, 10, 10, 10, 10)):
        yield study(depths)
    for provenance in (FITTED, OF_SCORES, {"backbone": "bm25"}, {"backbone": ""}):
        yield study(provenance=SAFE | provenance)
    yield study(judge=SHIFTED)
    yield study(chosen="6 of 8 runs", strata={"difficulty": dict.fromkeys(TRUTH, "one")})
    yield study(people={topic: dict.fromkeys(own, -1) for topic, own in TRUTH.items()})
    yield without_errors_to_end_the_excess()


@pytest.mark.parametrize("module", [*VIEWS, *SECTIONS], ids=lambda module: module.__name__)
def test_each_form_appears_in_a_report_and_vanishes_from_another(module: ModuleType) -> None:
    name = module.__name__.rpartition(".")[2]
    reports = by_hand() if module in VIEWS else [texts.get(name, "") for texts in of_studies()]
    found = {form: sum(form in report for report in reports) for form in forms(module)}
    assert [form for form, count in found.items() if not count] == []
    everywhere = {form for form, count in found.items() if count == len(reports)}
    assert module in ALWAYS or everywhere <= {GRADED}
