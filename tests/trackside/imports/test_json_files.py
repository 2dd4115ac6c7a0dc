"""JSON: lines, arrays, objects that hold records; every value is a text or a fault."""

import pytest

from tests.trackside.imports.reading import read_text_records
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.records import Record, sound_records


def _read(content: str) -> tuple[list[Record], Faults]:
    faults = Faults()
    records = read_text_records(content.encode(), faults)
    return list(sound_records(records, faults, must_have_content=True)), faults


def test_nan_is_a_missing_value_and_infinity_is_no_text() -> None:
    records, faults = _read(
        '{"id": "d1", "caption": NaN, "page": "mill"}\n{"id": "d2", "caption": NaN}\n'
        '{"id": "d3", "caption": -Infinity}\n'
    )
    assert [(record.name, record.fields) for record in records] == [("d1", (("page", "mill"),))]
    assert faults.examples == {
        ImportFault.EMPTY: [("line 2", "d2"), ("line 3", "d3")],
        ImportFault.FIELD_NOT_TEXT: [("line 3", "caption: -Infinity")],
    }


def test_numbers_keep_their_digits_and_repeated_keys_their_values() -> None:
    (record,), _ = _read(
        '{"id": 7, "size": 1.50, "big": 1e3, "is_old": true, "tags": "a", "tags": "b"}\n{"a": 1}'
    )
    assert (record.name, record.fields) == ("7", (("tags", "a b"),))
    assert record.left_out == (("size", "1.50"), ("big", "1e3"), ("is_old", "true"))


@pytest.mark.parametrize(
    "content",
    [
        '[{"qid": "1", "title": "mill"}, {"qid": "2", "title": "dam"}]',
        '[\n {"qid": "1",\n  "title": "mill"},\n {"qid": "2", "title": "dam"}\n]\n',
        '{"topics": [{"qid": "1", "title": "mill"}, {"qid": "2", "title": "dam"}]}',
        '{"1": {"title": "mill"}, "2": {"title": "dam"}}',
        '{\n "1": {"title": "mill"},\n "2": {"title": "dam"}\n}',
    ],
)
def test_json_values_hold_records(content: str) -> None:
    records, faults = _read(content)
    assert [(record.name, record.fields) for record in records] == [
        ("1", (("title", "mill"),)),
        ("2", (("title", "dam"),)),
    ]
    assert faults.counts == {}


def test_texts_by_their_names_are_records() -> None:
    records, _ = _read('{"301": "mill", "302": "dam"}')
    assert [(record.name, record.fields) for record in records] == [
        ("301", (("text", "mill"),)),
        ("302", (("text", "dam"),)),
    ]


def test_other_parts_of_a_json_value_are_faults() -> None:
    records, faults = _read(
        '{"version": "1.1", "data": [{"id": "a", "text": "x"}], "none": null, "more": []}'
    )
    assert [record.name for record in records] == ["a"]
    assert faults.examples == {ImportFault.NO_RECORD: [("the file", "version: '1.1'")]}
    _, faults = _read('[{"id": "a", "text": "x"}, "loose", 5]')
    assert faults.examples == {ImportFault.NOT_JSON: [("element 2", "loose"), ("element 3", "5")]}


def test_object_without_a_name_is_a_fault() -> None:
    _, faults = _read('{"title": "mill"}')
    assert faults.examples == {ImportFault.NO_NAME: [("line 1", "{'title': 'mill'}")]}


def test_image_that_no_archive_brings_is_a_fault() -> None:
    (record,), faults = _read('{"id": "a", "image": "a.png", "text": "x"}\n')
    assert record.fields == (("text", "x"),)
    assert faults.examples == {ImportFault.IMAGE_MISSING: [("line 1", "a.png")]}
