"""`trackside judge --examples`: pairs that people graded in the prompt, and their topics left out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.judges.endpoint import Act, Request, running
from tests.trackside.grading.conftest import of_endpoint

LINES = "t1 0 d3 2\n"
PROMPT = "{examples}\nNow:\n{fields}\n{image}\nGrade: <grade>"


def words(url: str, *more: str) -> list[str]:
    return [*of_endpoint(url), "--answer", "grade-0-2", "--prompt", "shots.txt", *more]


@pytest.fixture
def shots(setting: Path) -> Path:
    (setting / "shots.txt").write_text(PROMPT)
    (setting / "examples.qrels").write_text(LINES)
    return setting


def test_examples_are_shown_to_other_topics_and_their_topics_are_left_out(
    judge: Callable[..., int], shots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(lambda _: Act(text="Grade: 1")) as endpoint:
        assert judge(*words(endpoint.url, "--examples", "examples.qrels")) == 0
        shown = [(request.shown.count("image_url"), "red" in request.shown) for request in endpoint.asked]
    # Of t1 ("red") no example; of t2 one with its picture, words and grade.
    assert sorted(number for number, _ in shown) == sorted([2, 2, 4, 4])  # each is named twice
    assert all(has_red for _, has_red in shown)
    assert "4 pairs: 2 graded; gaps: 2 held_out\n" in capsys.readouterr().out
    assert (shots / "judged/judge.qrels").read_text() == "t2 0 d2 1\nt2 0 d3 1\n"
    provenance = json.loads((shots / "judged/provenance.json").read_text())
    assert provenance["left_out_topics"] == ["t1"]
    assert provenance["outcomes"] == {"held_out": 2, "ok": 2}
    assert "t1" in provenance["warnings"][-1]


def test_examples_that_the_model_refuses_stop_the_command_with_the_reason(
    judge: Callable[..., int], shots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def act(request: Request) -> Act:
        pictures = sum(isinstance(part, bytes) for part in request.parts)
        body = b'{"error": {"message": "At most 1 image(s) may be provided."}}' if pictures > most else None
        return Act(status=400, body=body) if body else Act(text="Grade: 1")

    most = 1
    with running(act) as endpoint:
        assert judge(*words(endpoint.url, "--examples", "examples.qrels")) != 0
        assert len(endpoint.asked) == 2 + 1  # t1 is shown no example, the other pair of t2 is not asked
        said = capsys.readouterr().out
        assert "1 pair not asked: The model refuses a prompt with all examples" in said
        assert "At most 1 image(s)" in said
        most = 2
        assert judge(*words(endpoint.url, "--examples", "examples.qrels", "--retry-failed")) == 0
    assert "4 pairs: 2 graded; gaps: 2 held_out\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "more", "problem"),
    [
        (LINES, (), "--examples and {examples} in the prompt need each other"),
        ("", ("--examples", "examples.qrels"), "no judgments in it"),
        ("t1 0 d9 2\n", ("--examples", "examples.qrels"), "The example t1 d9 cannot be shown: item_missing"),
        ("t1 0 d3 7\n", ("--examples", "examples.qrels"), "An example has the grade 7"),
    ],
)
def test_examples_that_cannot_be_shown_are_refused(
    judge: Callable[..., int],
    shots: Path,
    capsys: pytest.CaptureFixture[str],
    lines: str,
    more: tuple[str, ...],
    problem: str,
) -> None:
    (shots / "examples.qrels").write_text(lines)
    assert judge(*words("http://127.0.0.1:9/v1", *more)) == 2
    assert problem in capsys.readouterr().err
