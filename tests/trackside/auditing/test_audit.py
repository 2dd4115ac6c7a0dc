"""Audits of collections with planted faults, and of sound ones."""

import io
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from trackside.auditing.audit import audit
from trackside.auditing.findings import Findings, Kind
from trackside.auditing.pictures import look_at
from trackside.cli.main import main
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.imports.faults import ImportFault

WORDS = [
    f"{start}{end}" for start in "bdfgklmnprst" for end in ("arn", "ell", "ick", "omb", "ust", "ave", "irt")
]


def sentence(rng: random.Random, count: int = 30) -> str:
    return " ".join(rng.choices(WORDS, k=count))


def documents(count: int = 60) -> list[dict[str, Any]]:
    rng = random.Random(5)
    return [{"id": f"d{number}", "title": sentence(rng, 4), "text": sentence(rng)} for number in range(count)]


def topics(count: int = 5) -> list[dict[str, Any]]:
    rng = random.Random(6)
    return [{"id": f"t{number}", "title": sentence(rng, 9)} for number in range(count)]


def lines(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


def grades(by_topic: dict[str, dict[str, int]], name: str = "people") -> Qrels:
    return Qrels.from_dict(by_topic, name=name)


def sound_grades() -> dict[str, dict[str, int]]:
    return {f"t{number}": {f"d{number}": 2, f"d{number + 10}": 0} for number in range(5)}


def drawing(seed: int, size: tuple[int, int] = (240, 180)) -> Image.Image:
    rng = random.Random(seed)
    image = Image.new("RGB", size, tuple(rng.choices(range(256), k=3)))
    draw = ImageDraw.Draw(image)
    for _ in range(12):
        left, top = rng.randrange(size[0]), rng.randrange(size[1])
        box = (left, top, left + rng.randrange(20, 120), top + rng.randrange(20, 90))
        draw.ellipse(box, fill=tuple(rng.choices(range(256), k=3)))
    return image


def file_of(image: Image.Image, form: str = "JPEG", **options: Any) -> bytes:
    content = io.BytesIO()
    image.save(content, form, **options)
    return content.getvalue()


def test_nothing_is_found_in_a_sound_collection(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(40):
        (folder / f"p{number}.jpg").write_bytes(file_of(drawing(number)))
    run = Rankings.from_dict({"t1": {"d1": 2.0, "d2": 1.0}}, tag="clip")
    found = audit(
        topics=[lines(tmp_path / "topics.jsonl", topics())],
        documents=[lines(tmp_path / "documents.jsonl", documents()), str(folder)],
        qrels=[grades(sound_grades())],
        runs=[run],
        splits=[grades({"t0": {"d0": 1}}, "train"), grades({"t1": {"d1": 1}}, "test")],
    )
    assert found.counts == {}


TEXTS: dict[str, tuple[Any, dict[str, int]]] = {
    "name twice": (lambda rows: [*rows, {"id": "d1", "text": "mill and weir"}], {Kind.NAME_TWICE: 1}),
    "same text but for case and points": (
        lambda rows: [*rows, {"id": "new", "text": f"{rows[3]['title']} {rows[3]['text']}.".upper()}],
        {Kind.TEXT_TWICE: 1},
    ),
    "one word changed": (
        lambda rows: [
            *rows,
            {"id": "new", "title": rows[3]["title"], "text": rows[3]["text"].replace(" ", " mill ", 1)},
        ],
        {Kind.TEXT_NEARLY_TWICE: 1},
    ),
    "tags": (
        lambda rows: [*rows, {"id": "new", "text": "lock\U000e0041"}],
        {ImportFault.HIDDEN_CHARACTERS: 1},
    ),
    "zero width": (
        lambda rows: [*rows, {"id": "new", "text": "lo\u200bck"}],
        {ImportFault.HIDDEN_CHARACTERS: 1},
    ),
    "override": (
        lambda rows: [*rows, {"id": "new", "text": "lo\u202eck"}],
        {ImportFault.HIDDEN_CHARACTERS: 1},
    ),
    "persian, flags and emoji": (
        lambda rows: [
            *rows,
            {"id": "a", "text": "می\u200cخواهم"},
            {"id": "b", "text": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
            {"id": "c", "text": "\U0001f469\u200d\U0001f52c\ufe0f scientist"},
            {"id": "d", "text": "\u2067שלום\u2069 said"},
        ],
        {},
    ),
    "lost": (lambda rows: [*rows, {"id": "new", "text": "caf\ufffd"}], {Kind.LOST_CHARACTERS: 1}),
    "seldom": (lambda rows: [rows[0] | {"caption": "a lock"}, *rows[1:]], {Kind.FIELD_SELDOM: 1}),
    "constant": (lambda rows: [row | {"caption": "none"} for row in rows], {Kind.FIELD_CONSTANT: 1}),
    "empty": (lambda rows: [*rows, {"id": "new", "title": " "}], {ImportFault.EMPTY: 1}),
}


@pytest.mark.parametrize(("change", "expected"), TEXTS.values(), ids=TEXTS)
def test_planted_faults_of_texts_are_found_and_no_other(
    change: Any, expected: dict[str, int], tmp_path: Path
) -> None:
    found = audit(documents=[lines(tmp_path / "documents.jsonl", change(documents()))])
    assert found.counts == expected


def picture_files() -> dict[str, tuple[bytes, dict[str, int]]]:
    whole, photo = file_of(drawing(100)), drawing(101)
    cut = np.asarray(photo).copy()
    cut[100:] = 128
    bars = np.asarray(photo).copy()
    bars[:40] = bars[-60:] = 0
    frames = [drawing(seed) for seed in (102, 103)]
    return {
        "text": (b"<html>404</html>", {Kind.PICTURE_UNREADABLE: 1}),
        "empty": (b"", {Kind.PICTURE_UNREADABLE: 1}),
        "truncated": (whole[: len(whole) // 2], {Kind.PICTURE_TRUNCATED: 1}),
        "truncated PNG": (file_of(photo, "PNG")[:1500], {Kind.PICTURE_TRUNCATED: 1}),
        "decoded and written again": (file_of(Image.fromarray(cut)), {Kind.PICTURE_TRUNCATED: 1}),
        "letterbox": (file_of(Image.fromarray(bars)), {}),
        "black": (file_of(Image.new("RGB", (240, 180))), {Kind.PICTURE_OF_ONE_COLOUR: 1}),
        "transparent": (file_of(Image.new("RGBA", (240, 180)), "PNG"), {Kind.PICTURE_OF_ONE_COLOUR: 1}),
        "tiny": (file_of(drawing(104, (20, 16))), {Kind.PICTURE_TINY: 1}),
        "animated": (
            file_of(frames[0], "WEBP", save_all=True, append_images=frames[1:]),
            {Kind.PICTURE_ANIMATED: 1},
        ),
        "twice": (file_of(drawing(7)), {Kind.PICTURE_TWICE: 1}),
        "smaller": (file_of(drawing(7).resize((120, 90))), {Kind.PICTURE_NEARLY_TWICE: 1}),
        "worse": (file_of(drawing(7), quality=20), {Kind.PICTURE_NEARLY_TWICE: 1}),
        "grey": (file_of(drawing(7).convert("L")), {Kind.PICTURE_NEARLY_TWICE: 1}),
        "16 bit": (
            file_of(Image.fromarray(np.arange(60 * 80, dtype=np.uint16).reshape(60, 80) * 13), "PNG"),
            {},
        ),
        "palette": (file_of(drawing(105).quantize(16), "PNG"), {}),
        "CMYK": (file_of(drawing(106).convert("CMYK")), {}),
    }


@pytest.mark.parametrize("name", picture_files())
def test_planted_faults_of_pictures_are_found_and_no_other(name: str, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"p{number}.jpg").write_bytes(file_of(drawing(number)))
    content, expected = picture_files()[name]
    (tmp_path / "new.jpg").write_bytes(content)
    found = audit(documents=[str(tmp_path)])
    assert found.counts == expected


def links(found: Findings) -> dict[str, int]:
    return dict(found.counts)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"t0": {"d0": 1, "zz": 1}}, {Kind.GRADED_DOCUMENT_ABSENT: 1}),
        ({"t0": {"zz": 1}}, {Kind.GRADED_DOCUMENT_ABSENT: 1, Kind.TOPIC_WITHOUT_RELEVANT: 1}),
        ({"t0": {"d0": 0, "d1": -1}}, {Kind.TOPIC_WITHOUT_RELEVANT: 1}),
        ({"t0": {"d0": 1}, "t9": {"d0": 1, "d1": 1}}, {Kind.GRADED_TOPIC_ABSENT: 2}),
        ({"t0": {"d3": 2, "double": 0}}, {Kind.DOUBLES_GRADED_UNLIKE: 1}),
        ({"t0": {"d3": 2, "double": 2}}, {}),
        ({"t1": {"d17": 1}}, {Kind.TOPIC_NOT_GRADED: 1}),
    ],
)
def test_planted_faults_of_grades_are_found(
    given: dict[str, dict[str, int]], expected: dict[str, int], tmp_path: Path
) -> None:
    rows = documents()
    found = audit(
        topics=[lines(tmp_path / "topics.jsonl", topics(1))]
        if "t1" not in given
        else [lines(tmp_path / "topics.jsonl", topics(2))],
        documents=[lines(tmp_path / "documents.jsonl", [*rows, rows[3] | {"id": "double"}])],
        qrels=[grades(given)],
    )
    assert found.counts == {Kind.TEXT_TWICE: 1} | expected


def test_topics_that_tell_the_answer_or_are_documents_are_found(tmp_path: Path) -> None:
    rows = [*topics(2), {"id": "told", "title": "the lock of AB-12"}, {"id": "same", "title": "x"}]
    same = documents()[4]
    rows[-1]["title"] = f"{same['title']} {same['text']}"
    found = audit(
        topics=[lines(tmp_path / "topics.jsonl", rows)],
        documents=[lines(tmp_path / "documents.jsonl", [*documents(), {"id": "AB-12", "text": "a lock"}])],
        qrels=[grades({topic: {"AB-12": 1} for topic in ("t0", "t1", "told", "same")})],
    )
    assert found.counts == {Kind.TOPIC_IS_DOCUMENT: 1, Kind.ANSWER_IN_TOPIC: 1}
    assert found.examples[Kind.ANSWER_IN_TOPIC] == ["told: AB-12"]


def test_planted_faults_of_runs_and_splits_are_found(tmp_path: Path) -> None:
    rows = documents()
    run = Rankings.from_dict({"t0": {"d0": 3.0, "zz": 2.0}, "t7": {"d1": 1.0}}, tag="clip")
    found = audit(
        topics=[lines(tmp_path / "topics.jsonl", topics())],
        documents=[lines(tmp_path / "documents.jsonl", [*rows, rows[3] | {"id": "double"}])],
        runs=[run],
        splits=[
            grades({"t0": {"d3": 1}, "t1": {"d5": 1}}, "train"),
            grades({"t0": {"d8": 1}, "t2": {"double": 1, "d5": 0}}, "test"),
        ],
    )
    assert found.counts == {
        Kind.TEXT_TWICE: 1,
        Kind.FOUND_DOCUMENT_ABSENT: 1,
        Kind.RUN_TOPIC_ABSENT: 1,
        Kind.TOPIC_IN_TWO_SPLITS: 1,
        Kind.RELEVANT_IN_TWO_SPLITS: 1,
    }
    assert found.examples[Kind.RELEVANT_IN_TWO_SPLITS] == ["d3 and double: train and test"]


def test_unlike_pictures_of_one_caption_are_no_doubles(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"p{number}.jpg").write_bytes(file_of(drawing(number)))
        (tmp_path / f"p{number}.txt").write_text("a red lock at the old canal bridge in the morning")
    found = audit(documents=[str(tmp_path)], qrels=[grades({"t1": {"p0": 2, "p1": 0}})])
    assert found.counts == {}


def test_records_and_not_pairs_of_them_are_counted(tmp_path: Path) -> None:
    words = sentence(random.Random(8)).split()
    rows = [
        {"id": f"n{place}", "text": " ".join([*words[:place], "mill", *words[place:]])} for place in range(6)
    ]
    found = audit(documents=[lines(tmp_path / "documents.jsonl", [*documents(), *rows])])
    assert found.counts == {Kind.TEXT_NEARLY_TWICE: 5}


def test_picture_of_one_sixteenth_of_a_tone_is_no_double_of_another() -> None:
    flat = [
        look_at(file_of(Image.linear_gradient("L").point(lambda v, c=c: 120 + v // 40 + c))) for c in (0, 4)
    ]
    assert all(look.grey is not None and look.grey.std() < 8 for look in flat)


def test_command_prints_each_kind_with_its_cure_and_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lines(tmp_path / "d.jsonl", [*documents(), {"id": "new", "text": "lo\u200bck"}])
    assert main(["audit", "--documents", path]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("Texts with characters that nobody sees: 1. Remove them")
    assert shown[1] == f"    {path}, line 61: new, text: U+200B"
    assert main(["audit", "--documents", path, "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["count"]) == ("hidden_characters", 1)
    assert main(["audit", "--documents", lines(tmp_path / "s.jsonl", documents())]) == 0
    assert main(["audit"]) == 2
    assert "--topics, --documents" in capsys.readouterr().err


def test_files_without_records_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    for path in ("empty.jsonl", "absent.jsonl"):
        with pytest.raises(InputError):
            audit(documents=[str(tmp_path / path)])
