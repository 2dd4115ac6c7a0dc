"""No word of a file is lost: each is stored, left out, or in a fault.

Hypothesis writes files of every format whose words are numbered, so that each word of the file can be found.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trackside.errors import InputError
from trackside.imports import faults as faults_module
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.readers import read_collection

WORD = re.compile(r"w\d+")
PICTURES = (".jpg", ".png", ".gif")
KEYS = ["", "id", "_id", "qid", "title", "text", "answer", "note", "stratum", "image", "tags"]
KEYS += ["gold_ids", "box"]
Draw = Any


@pytest.fixture(autouse=True)
def _whole_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults_module, "EXAMPLES", 10**6)
    monkeypatch.setattr(faults_module, "SHOWN_CHARACTERS", 10**6)


class Words:
    """Draws values from words that occur once."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.count = 0

    def word(self) -> str:
        self.count += 1
        return f"w{self.count}"

    def text(self, noise: tuple[str, ...] = ()) -> str:
        pieces = [self.word()]
        for _ in range(self.draw(st.integers(0, 3))):
            pieces += [self.draw(st.sampled_from([" ", *noise])), self.word()]
        return "".join(pieces)

    def some_keys(self, most: int = 5) -> list[str]:
        found: list[str] = self.draw(st.lists(st.sampled_from(KEYS), max_size=most, unique=True))
        return found

    def value(self, noise: tuple[str, ...]) -> Any:
        form = self.draw(st.sampled_from(["text", "text", "list", "object", "deep", "null", "nan", "number"]))
        values: dict[str, Callable[[], Any]] = {
            "text": lambda: self.text(noise),
            "list": lambda: [self.word(), None, [self.word()]],
            "object": lambda: {"a": self.word()},
            "deep": lambda: [{"b": self.word()}],
            "null": lambda: None,
            "nan": lambda: float("nan"),
            "number": lambda: 1.5,
        }
        return values[form]()

    def row(self, noise: tuple[str, ...]) -> dict[str, Any]:
        keys = self.some_keys()
        row = {key: self.value(noise) for key in keys}
        return {"id": self.word()} | row if self.draw(st.booleans()) else row


def json_lines(words: Words) -> bytes:
    lines = [json.dumps(words.row(('"', "\\", "<", "\t"))) for _ in range(words.draw(st.integers(1, 4)))]
    if words.draw(st.booleans()):
        lines.insert(
            words.draw(st.integers(0, len(lines))),
            words.draw(st.sampled_from(['{"id": ', "["])) + words.word(),
        )
    return "\n".join(lines).encode()


def json_value(words: Words) -> bytes:
    rows = [words.row((",",)) for _ in range(words.draw(st.integers(1, 3)))]
    form = words.draw(st.sampled_from(["array", "list in an object", "by name", "loose"]))
    whole: Any = {
        "array": rows,
        "list in an object": {"version": words.word(), "topics": rows},
        "by name": {words.word(): row for row in rows},
        "loose": [*rows, words.word(), [words.word()]],
    }[form]
    return json.dumps(whole, indent=words.draw(st.sampled_from([None, 1]))).encode()


def csv_table(words: Words) -> bytes:
    names = dict.fromkeys(key for key in words.some_keys() if key != "id")
    header = [words.draw(st.sampled_from(["id", "", "code"])), *names]
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(header)
    for _ in range(words.draw(st.integers(1, 4))):
        width = len(header) + words.draw(st.sampled_from([0, 0, 0, 1]))
        table.writerow([words.text(('"', ",", "\n", "\t", "<")) for _ in range(width)])
    return file.getvalue().encode()


def tab_table(words: Words) -> bytes:
    header = ["id", "title", *dict.fromkeys(key for key in words.some_keys() if key not in ("id", "title"))]
    lines = ["\t".join(header)]
    for _ in range(words.draw(st.integers(1, 4))):
        width = len(header) + words.draw(st.sampled_from([0, 0, 0, -1]))
        lines.append("\t".join(words.text(('"', ' "', ",", "<")) for _ in range(width)))
    return "\n".join(lines).encode()


SGML_NOISE = (
    *(" < ", " <b>", "</b> ", " <q z> ", " & ", "<br/>", " &amp; ", "\n", "<![CDATA[ ", " ]]>", "\n<odd> "),
)


def sgml(words: Words) -> bytes:
    heads = ["", "<?xml version='1.0'?>", "loose " + words.word(), f"<all by='{words.word()}'>"]
    parts = [words.draw(st.sampled_from(heads))]
    for _ in range(words.draw(st.integers(1, 3))):
        lines = ["<top>", f"<num> Number: {words.word()}"]
        for _ in range(words.draw(st.integers(0, 3))):
            name = words.draw(
                st.sampled_from(["title", "desc", "narr", "EN-title", "facet lang='w0'", "subtopic"])
            )
            end = words.draw(st.sampled_from(["", f"</{name.split()[0]}>"]))
            lines.append(f"<{name}> {words.text(SGML_NOISE)} {end} {words.text() if end else ''}")
        lines.append(words.draw(st.sampled_from(["</top>", "</top>", "</top>", ""])))
        parts.append("\n".join(lines))
    return "\n".join([*parts, "<top><num>last</num></top>"]).encode()


def xml_element(words: Words, depth: int) -> str:
    name = words.draw(st.sampled_from(["title", "query", "subtopic", "narr", "info"]))
    attributes = "".join(
        f' {key}="{words.word()}"'
        for key in words.draw(st.lists(st.sampled_from(["number", "lang", "type"]), unique=True))
    )
    inner = escape(words.text((" < ", " & "))) if words.draw(st.booleans()) else ""
    if depth:
        for _ in range(words.draw(st.integers(0, 2))):
            inner += xml_element(words, depth - 1) + words.draw(st.sampled_from(["", "\n", words.text()]))
    return f"<{name}{attributes}>{inner}</{name}>"


def xml(words: Words) -> bytes:
    topics = []
    for _ in range(words.draw(st.integers(1, 3))):
        fields = "".join(xml_element(words, 2) for _ in range(words.draw(st.integers(0, 3))))
        loose = words.draw(st.sampled_from(["", words.text()]))
        topics.append(f'<topic number="{words.word()}" type="{words.word()}">{loose}{fields}</topic>')
    head = words.draw(
        st.sampled_from(["", f'<about by="{words.word()}">{words.text()}</about>', words.text()])
    )
    attributes = words.draw(st.sampled_from(["", f' task="{words.word()}"']))
    return f"<topics{attributes}>{head}{''.join(topics)}</topics>".encode()


def coco(words: Words) -> bytes:
    count = words.draw(st.integers(1, 3))
    ids = words.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    images = [{"id": number, "file_name": f"{words.word()}.jpg", "flickr": words.word()} for number in ids]
    captions = [
        {"image_id": words.draw(st.integers(0, 3)), "caption": words.value(()), "by": words.word()}
        for _ in range(words.draw(st.integers(1, 4)))
    ]
    info = {"info": {"year": words.word()}, "licenses": [{"name": words.word()}]}
    return json.dumps(info | {"images": images, "annotations": captions}).encode()


def archive(words: Words) -> bytes:
    writers: dict[str, Callable[[Words], bytes]] = {
        ".jpg": lambda _: b"picture",
        ".png": lambda _: b"picture",
        ".gif": lambda _: b"picture",
        ".md": lambda _: b"readme",
        ".jsonl": json_lines,
        ".json": json_value,
        ".csv": csv_table,
        ".xml": xml,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for _ in range(words.draw(st.integers(1, 5))):
            folder, stem = words.draw(st.sampled_from(["", "x/", "y/"])), words.word()
            suffix = words.draw(st.sampled_from(sorted(writers)))
            file.writestr(f"{folder}{stem}{suffix}", writers[suffix](words))
            if suffix == ".jpg" and words.draw(st.booleans()):
                file.writestr(f"{folder}{stem}.txt", f"{words.word()} beside".encode())
    return packed.getvalue()


def outcome(content: bytes) -> tuple[Faults, set[str]]:
    """The faults, and all words of the records and faults. A fault of a record stands for the whole of it."""
    faults, texts = Faults(), []
    for record in read_collection(io.BytesIO(content), "", faults):
        texts += [record.name, record.place, record.note, record.stratum]
        texts += [text for _, text in (*record.fields, *record.left_out)]
    for examples in faults.examples.values():
        texts += [text for example in examples for text in example]
    return faults, set(WORD.findall(" ".join(texts)))


def words_of(content: bytes, faults: Faults) -> set[str]:
    """All words of a file. A member of an archive that is named as not read counts by its name."""
    if not content.startswith(b"PK"):
        return set(WORD.findall(content.decode()))
    unread = {place for place, _ in faults.examples.get(ImportFault.FILE_NOT_READ, [])}
    found: set[str] = set()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            text = name if name in unread else archive.read(name).decode()
            text += name if name.endswith(PICTURES) else ""
            found |= set(WORD.findall(text))
    return found


WRITERS = {
    "JSON lines": json_lines,
    "JSON": json_value,
    "COCO": coco,
    "CSV": csv_table,
    "TSV": tab_table,
    "SGML": sgml,
    "XML": xml,
    "zip": archive,
}


@pytest.mark.parametrize("form", WRITERS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_word_of_a_file_is_stored_left_out_or_in_a_fault(form: str, data: st.DataObject) -> None:
    content = WRITERS[form](Words(data.draw))
    try:
        faults, found = outcome(content)
    except InputError:  # the whole file is refused, with its reason
        return
    assert words_of(content, faults) <= found
