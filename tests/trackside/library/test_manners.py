"""Each public type says what it holds in a line and a small table, is typed, and survives pickling."""

import enum
import inspect
import pickle
import typing
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import trackside
from tests.simulations.takes import Setting, drawn_track
from trackside.reporting.questions import family_findings, second_assessor

MARKED = "<b>&amp;"  # a name that must reach no page unescaped
ALLOWED = {"table", "caption", "tr", "th", "td"}


@pytest.fixture(scope="module")
def results() -> list[Any]:
    """Results of all functions; those of the report hold one of every finding."""
    draw = np.random.default_rng(3)
    people = {str(topic): {f"d{n}": n % 3 for n in range(12)} for topic in range(12)}
    clip = {topic: {docno: int(draw.integers(3)) for docno in grades} for topic, grades in people.items()}
    runs = {
        f"{MARKED}{n}": trackside.read_run(
            {topic: {docno: draw.random() + n * grade for docno, grade in grades.items()}
             for topic, grades in people.items()},
            tag=f"{MARKED}{n}",
        )
        for n in range(3)
    }  # fmt: skip
    about = [trackside.ReportRun(tag, f"team {tag}", (MARKED,) if tag.endswith("0") else ()) for tag in runs]
    findings = trackside.report(
        runs, people, {MARKED: clip}, people={"second": clip}, about=about, measures="RR", resamples=20
    )
    one, two = list(runs.values())[:2]
    strata = {topic: dict.fromkeys(grades, MARKED) for topic, grades in people.items()}
    by_stratum = trackside.agreement_by_stratum(people, clip, strata)
    evaluation = trackside.evaluate(runs, {MARKED: people}, ["RR", "NumRet"])
    return [
        *runs.values(), trackside.read_qrels(people, name=MARKED), evaluation, *about, findings,
        trackside.compare(runs, people), trackside.agreement(people, clip), trackside.pool(runs, 2),
        trackside.check({MARKED: {MARKED: 1.0}}, ["1"], docnos=["d1"]), trackside.plan_topics(runs, people),
        trackside.TippingFinding(candidate_count=3, fewest=2), trackside.correlate(one, two),
        trackside.tune_weights([one, two], people, step=0.5),
        trackside.powered_means(runs, people, people), *favour_check(), by_stratum, by_stratum.strata[MARKED],
        trackside.Leaderboard(MARKED, {MARKED: {MARKED: {"all": 1.0}}}),
    ]  # fmt: skip


def favour_check() -> list[Any]:
    """A check of a favour, and what a third person says."""
    study = drawn_track(Setting(favour=0.5), np.random.default_rng(3)).study
    (finding,) = family_findings(study, 1, second_assessor(study, 1))
    check = trackside.FavourCheck("judge", "A", "A favour.", (("001", "d1"),), finding)
    return [check, trackside.ThirdFinding(chosen_count=50)]


def parts(value: Any) -> Iterator[Any]:
    """The value, and everything inside it."""
    yield value
    inner: list[Any] = []
    if is_dataclass(value):
        inner = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, (tuple, list)):
        inner = list(value)
    for each in inner:
        yield from parts(each)


def public_types() -> set[type]:
    """All public classes but those of errors, warnings and verdicts, which are texts."""
    public = {getattr(trackside, name) for name in trackside.__all__}
    return {
        each for each in public if isinstance(each, type) and not issubclass(each, (Exception, enum.Enum))
    }


def test_public_types_are_shown_compared_and_pickled(results: list[Any]) -> None:
    known = public_types()
    objects = {type(each): each for each in parts(results) if type(each) in known}
    assert set(objects) == known
    for kind, each in objects.items():
        shown = repr(each)
        assert kind.__name__ in shown, kind
        assert "\n" not in shown and len(shown) < 400, shown  # noqa: PT018
        assert pickle.loads(pickle.dumps(each)) == each, kind
        if not isinstance(each, tuple):
            html = ET.fromstring(f"<div>{each._repr_html_()}</div>")
            assert {element.tag for element in html.iter()} - {"div"} <= ALLOWED, kind
            assert 1 <= len(html.findall("table/tr")) <= 12, kind


def content_bytes(value: Any) -> int:
    """The bytes of the texts and numbers inside a value."""
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Mapping):
        return sum(content_bytes(key) + content_bytes(each) for key, each in value.items())
    if is_dataclass(value):
        return sum(content_bytes(getattr(value, field.name)) for field in fields(value))
    return sum(map(content_bytes, value)) if isinstance(value, (tuple, list, set, frozenset)) else 8


def large_results() -> Iterator[Any]:
    draw = np.random.default_rng(7)
    docnos = [f"document-{n:06d}" for n in range(5000)]
    runs = [
        trackside.read_run(
            {f"{topic}": dict(zip(draw.permutation(docnos)[:900].tolist(), draw.random(900), strict=True))
             for topic in range(40)},
            tag=f"run{n}",
        )
        for n in range(4)
    ]  # fmt: skip
    people = trackside.read_qrels(
        {
            f"{topic}": dict(zip(docnos, draw.integers(3, size=5000).tolist(), strict=True))
            for topic in range(40)
        }
    )
    yield from (runs[0], runs[0].first(1), people, trackside.evaluate(runs, people, ["AP", "nDCG@10", "P@5"]))
    yield from (
        trackside.compare(runs, people),
        trackside.pool(runs, 100),
        trackside.agreement(people, people),
    )
    runs[0].docnos.to_list()  # a second form of the docnos
    yield runs[0]


def test_pickles_hold_at_most_twice_the_content() -> None:
    for each in large_results():
        copied = pickle.dumps(each)
        assert len(copied) <= 2 * content_bytes(each) + 1500, (each, len(copied), content_bytes(each))
        assert pickle.loads(copied) == each


def test_public_functions_are_typed() -> None:
    functions = [each for name in trackside.__all__ if inspect.isfunction(each := getattr(trackside, name))]
    assert len(functions) > 14
    for function in functions:
        hints = typing.get_type_hints(function)
        assert set(hints) == {*inspect.signature(function).parameters, "return"}, function
        assert Any not in hints.values(), function
    assert str in typing.get_args(typing.get_type_hints(trackside.evaluate)["measures"])
    assert trackside.Measure in typing.get_args(typing.get_type_hints(trackside.evaluate)["measures"])


def test_runs_and_qrels_are_mappings_by_topic() -> None:
    scores = {"301": {"a": 1.0, "b": 2.0}, "302": {"c": 0.5}}
    run, qrels = trackside.read_run(scores, tag="one"), trackside.read_qrels({"301": {"a": 0, "b": 2}})
    assert isinstance(run, Mapping)
    assert (list(run), len(run), list(run["301"])) == (["301", "302"], 2, ["b", "a"])  # best first
    numbers: list[Any] = [301, None]
    assert ["301" in run, "303" in run, *(number in run for number in numbers)] == [True, *[False] * 3]
    assert run.get("303") is None
    with pytest.raises(KeyError):
        run["303"]
    assert run == scores == trackside.read_run(scores, tag="two")
    assert run != trackside.read_run({**scores, "302": {"c": 0.25}})
    assert (list(qrels.items()), len(qrels), "302" in qrels) == ([("301", {"a": 0, "b": 2})], 1, False)
    assert qrels == trackside.read_qrels({"301": {"b": 2, "a": 0}}, name="other order")
    assert trackside.evaluate(run, qrels, "RR").means().item() == 1.0


def test_evaluations_are_equal_by_their_values() -> None:
    run, other = {"1": {"a": 1.0}}, {"1": {"b": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    assert trackside.evaluate(run, qrels, "meanRbest") == trackside.evaluate(run, qrels, "meanRbest")  # a NaN
    with pytest.warns(trackside.IdsDoNotMeet):
        assert trackside.evaluate(run, qrels, "RR") != trackside.evaluate(other, qrels, "RR")


def test_unknown_names_in_findings_name_the_known(results: list[Any]) -> None:
    findings = next(each for each in results if isinstance(each, trackside.Findings))
    known = findings.tables()[0].name
    assert findings.table(known).name == known
    with pytest.raises(trackside.InputError, match=f"no table kapa. There are {known}"):
        findings.table("kapa")
    with pytest.raises(trackside.InputError, match="AP: the report has the measures RR"):
        findings.judges[0].order("AP")


def test_version_is_that_of_the_package() -> None:
    assert trackside.__version__[0].isdigit()
