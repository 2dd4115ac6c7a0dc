"""`trackside plan-topics` prints the plan of the library."""

from pathlib import Path

import pytest

import trackside
from trackside.cli.main import main

PEOPLE = {str(topic): {"a": 1, "b": 0, "c": topic % 3} for topic in range(12)}
RUNS = {
    tag: {topic: {docno: float(place) for place, docno in enumerate(order)} for topic in PEOPLE}
    for tag, order in (("one", "abc"), ("two", "bca"), ("three", "cab"))
}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    trackside.write_qrels(PEOPLE, tmp_path / "people")
    for tag, run in RUNS.items():
        trackside.write_run(run, tmp_path / tag, tag=tag)
    paths = [str(tmp_path / tag) for tag in RUNS]
    return ["plan-topics", "--qrels", str(tmp_path / "people"), "--measure", "AP", *paths]


def test_topics_are_those_of_the_library(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--difference", "0.1", "--power", "0.9", "--alpha", "0.01"]) == 0
    plan = trackside.plan_topics(RUNS, PEOPLE, "AP", difference=0.1, power=0.9, alpha=0.01)
    printed = capsys.readouterr().out
    for number in (plan.topics, plan.most_topics, f"{plan.deviation:.4f}", f"{plan.detectable:.4f}"):
        assert f"{number}" in printed


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--difference", "0"], "difference 0.0"), (["--power", "2"], "power 2.0"), (["--measure", "X"], "X")],
)
def test_bad_options_are_named(
    options: list[str], message: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *options]) == 2
    assert message in capsys.readouterr().err
