"""`trackside probe` at a loopback endpoint whose eyes are known."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.judges.endpoint import Act, Request, running
from trackside.cli.main import main

TOPICS, DOCUMENTS = 12, 6
WORDS = [
    "--topics", "t.jsonl", "--documents", "p", "--pairs", "people.qrels", "--out", "judged",
    "--prompt", "grade.txt", "--answer", "grade-0-1", "--model", "m", "--revision", "1",
]  # fmt: skip


def shade(request: Request) -> int:
    (image,) = (part for part in request.parts if isinstance(part, bytes))
    pixel = Image.open(io.BytesIO(image)).convert("L").getpixel((0, 0))
    assert isinstance(pixel, int | float)
    return int(pixel > 128)


def looks(request: Request) -> Act:
    return Act(text=f"Grade: {shade(request)}")


def reads_only(request: Request) -> Act:
    return Act(text=f"Grade: {int('even' in str(request.parts[0]))}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Half of each topic's pictures are light; people grade them 1, but for one pair in the first topics."""
    monkeypatch.chdir(tmp_path)
    names = [json.dumps({"id": f"t{n}", "title": f"{'even' if n % 2 else 'odd'} {n}"}) for n in range(TOPICS)]
    (tmp_path / "t.jsonl").write_text("\n".join(names))
    (tmp_path / "grade.txt").write_text("{fields}\n{image}\nGrade: <grade>")
    (tmp_path / "p").mkdir()
    lines = []
    for topic in range(TOPICS):
        for number in range(DOCUMENTS):
            grade = number % 2
            Image.new("L", (8 + number, 8), 200 * grade + topic).save(tmp_path / f"p/d{topic}x{number}.png")
            noisy = 1 - grade if topic < 4 and number == 0 else grade
            lines.append(f"t{topic} 0 d{topic}x{number} {noisy}\n")
    (tmp_path / "people.qrels").write_text("".join(lines))
    return tmp_path


@pytest.mark.parametrize(
    ("plan", "of_pictures", "of_texts"),
    [(looks, "a loss", "no loss"), (reads_only, "no loss", "open")],
    ids=["looks", "reads only the text"],
)
def test_probe_tells_a_judge_that_looks(
    folder: Path,
    plan: Callable[[Request], Act],
    of_pictures: str,
    of_texts: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with running(plan) as endpoint:
        assert main(["probe", *WORDS, "--endpoint", endpoint.url]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "72 judged pairs; loss of kappa with people, margin 0.05:"
    assert lines[1].startswith("  pictures exchanged: ")
    assert lines[1].endswith(f": {of_pictures}")
    assert lines[2].endswith(f": {of_texts}")
    assert lines[3] == "  same pair again: 0.00 no interval, 0 of 72 grades change: no loss"
    probes = json.loads((folder / "judged/probes.json").read_text())["probes"]
    assert list(probes) == ["pictures exchanged", "texts exchanged", "same pair again"]


def test_probe_uses_answers_that_the_journal_has(folder: Path) -> None:
    """Exchanged pictures of a topic are pairs that were judged: only texts and repeats are asked."""
    with running(looks) as endpoint:
        main(["judge", *WORDS, "--endpoint", endpoint.url])
        asked = len(endpoint.asked)
        assert main(["probe", *WORDS, "--endpoint", endpoint.url]) == 0
        assert len(endpoint.asked) - asked == 2 * asked == 2 * TOPICS * DOCUMENTS
        assert main(["probe", *WORDS, "--endpoint", endpoint.url]) == 0
        assert len(endpoint.asked) == 3 * asked


def test_probe_needs_grades_of_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "--endpoint", "http://127.0.0.1:9/v1"]
    assert main(["probe", *words, "--limit", "3"]) == 2
    assert "Give the number of pairs by --sample" in capsys.readouterr().err
    (folder / "people.qrels").write_text("t1 0 d1x1 7\n")
    assert main(["probe", *words]) == 2
    assert "people.qrels: no grade of the scale 0, 1" in capsys.readouterr().err
    (folder / "people.qrels").write_text("t1 0 d1x1 1\n")
    assert main(["probe", *words]) == 2
    assert "0 topics have two judged pairs" in capsys.readouterr().err


def test_dry_run_counts_the_requests_of_all_probes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", *WORDS, "--endpoint", "http://127.0.0.1:9/v1", "--dry-run"]) == 0
    # 72 pairs, 72 with another topic's text, 72 again; exchanged pictures are pairs of the sample.
    assert "216 requests to send, 0 answered before" in capsys.readouterr().out


def test_probe_without_grades_says_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(lambda _: Act(text="I cannot help with that.")) as endpoint:
        assert main(["probe", *WORDS, "--endpoint", endpoint.url, "--sample", "12"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  pictures exchanged: no pair has a grade before and after",
        "  texts exchanged: no pair has a grade before and after",
        "  same pair again: no pair has a grade before and after",
        "answers without a grade: 48 refusal",  # four times 12
        "judged: probes.json",
    ]


def sharp(request: Request) -> Act:
    """Grades by the picture if it is of full size, and says the first option of the others."""
    (image,) = (part for part in request.parts if isinstance(part, bytes))
    is_whole = min(Image.open(io.BytesIO(image)).size) >= 300
    first = str(request.parts).partition("Options: ")[2][0]
    return Act(text=f"Grade: {shade(request) if is_whole else first}")


def test_changes_of_the_pair_itself_are_asked_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "grade.txt").write_text("{fields}\n{image}\nOptions: 0 or 1.\nGrade: <grade>")
    lines = (folder / "t.jsonl").read_text().splitlines()
    (folder / "t.jsonl").write_text("\n".join(json.dumps(json.loads(line) | {"text": "x"}) for line in lines))
    for picture in (folder / "p").iterdir():
        Image.open(picture).resize((400 + 2 * int(picture.stem[-1]), 300)).save(picture)
    words = [*WORDS, "--image-size", "original", "--probes", "grey,half,painted,options,topic.text"]
    with running(sharp) as endpoint:
        assert main(["probe", *words, "--endpoint", endpoint.url, "--dry-run"]) == 0
        offered = capsys.readouterr().out.splitlines()
        assert offered[0] == (
            "requests at most: the pairs 72, grey 72, options 72, painted 72, half 72, topic.text 72"
        )
        assert offered[1] == "not chosen by --probes: pictures 72, texts 72, again 72, topic.title 72"
        assert main(["probe", *words, "--endpoint", endpoint.url]) == 0
        assert len(endpoint.asked) == 6 * 72
    verdicts = [line.rpartition(": ")[::2] for line in capsys.readouterr().out.splitlines()[1:6]]
    assert [(name.split(":")[0].strip(), word) for name, word in verdicts] == [
        ("grey pictures", "a loss"),
        ("half resolution", "a loss"),
        ("words painted", "no loss"),
        ("options turned", "no loss"),
        ("left out", "no loss"),
    ]
    probes = json.loads((folder / "judged/probes.json").read_text())["probes"]
    assert probes["half resolution"]["says"].endswith("it needs the resolution.")
    assert list(probes)[-1] == "left out: topic.text"


def test_probe_that_is_not_possible_is_refused_or_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*WORDS, "--endpoint", "http://127.0.0.1:9/v1"]
    assert main(["probe", *words, "--probes", "options"]) == 2
    assert "does not list each answer once" in capsys.readouterr().err
    assert main(["probe", *words, "--dry-run"]) == 0
    assert "not possible: left out: topic.title: the judge would have no text left" in capsys.readouterr().out


@pytest.mark.parametrize("margin", ["0", "nan", "-1"])
def test_margin_is_a_loss(folder: Path, margin: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "--endpoint", "http://127.0.0.1:9/v1", "--dry-run"]
    assert main(["probe", *words, "--margin", margin]) == 2
    assert f"--margin {margin}: write a loss of kappa between 0 and 1" in capsys.readouterr().err


@pytest.mark.whole
def test_probe_of_an_encoder_asks_nothing_again(
    folder: Path, tiny_clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its vectors are the same: only exchanges are probed. Random weights agree with nobody."""
    files = WORDS[: WORDS.index("--prompt")]
    assert main(["probe", *files, "--clip", str(tiny_clip), "--scale", "0,1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0].strip() for line in lines[1:3]] == [
        "pictures exchanged",
        "texts exchanged",
    ]
    assert lines[3] == "judged: probes.json"
    assert lines[4] == "not possible: same pair again: an encoder has one vector of an input"
    changes = ["--probes", "grey,half,painted,topic.title"]
    assert main(["probe", *files, "--clip", str(tiny_clip), "--scale", "0,1", *changes]) == 2
    assert "no text left" in capsys.readouterr().err
    assert main(["probe", *files, "--clip", str(tiny_clip), "--scale", "0,1", *changes[:1], "grey,half"]) == 0
    assert "half resolution: " in capsys.readouterr().out
