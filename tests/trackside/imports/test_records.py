import json
from typing import Any

import pytest

from trackside.imports.faults import EXAMPLES, KINDS, Faults, ImportFault
from trackside.imports.fields import Row
from trackside.imports.records import Record, RecordMaker, copy_line, sample_of, sound_records


def record_of(values: dict[str, Any], place: str, faults: Faults) -> Record | None:
    return RecordMaker(faults).record(Row(place, values))


def test_record_of_takes_texts_numbers_and_lists_in_order_and_leaves_nulls_out() -> None:
    faults = Faults()
    values = {
        "title": "Tarn",
        "docno": 7,
        "tags": ["lake", None, "ice"],
        "empty": " ",
        "none": None,
        "year": 1998,
    }
    record = record_of(values, "line 1", faults)
    assert record is not None
    assert (record.name, record.fields) == ("7", (("title", "Tarn"), ("tags", "lake ice")))
    assert record.left_out == (("year", "1998"),)
    assert faults.counts == {}


def test_only_names_of_pictures_lose_the_number_of_their_caption() -> None:
    for name, read in (("c#7", "c#7"), ("a.png#0", "a.png"), ("a.png#x", "a.png#x")):
        record = RecordMaker(Faults()).record(Row("line 1", {"id": name, "title": "mill"}))
        assert record is not None
        assert record.name == read


def test_record_of_notes_fields_that_are_no_text_and_rows_without_a_name() -> None:
    faults = Faults()
    record = record_of({"id": "a", "title": "Tarn", "text": {"x": 1}}, "line 1", faults)
    assert record is not None
    assert record.fields == (("title", "Tarn"),)
    assert record_of({"title": "Tarn"}, "line 2", faults) is None
    assert record_of({"id": None, "title": "Tarn"}, "line 3", faults) is None
    assert faults.counts == {ImportFault.FIELD_NOT_TEXT: 1, ImportFault.NO_NAME: 2}
    assert faults.refused_count == 2


@pytest.mark.parametrize(("depth", "is_text"), [(20, True), (21, False), (900, False)])
def test_record_of_leaves_out_lists_that_are_too_deep(depth: int, is_text: bool) -> None:
    faults = Faults()
    record = record_of({"id": "a", "text": json.loads("[" * depth + '"x"' + "]" * depth)}, "line 1", faults)
    assert record is not None
    assert record.fields == ((("text", "x"),) if is_text else ())
    assert faults.counts == ({} if is_text else {ImportFault.FIELD_NOT_TEXT: 1})


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (Record("", "two words", (("a", "b"),)), ImportFault.NAME_NOT_ONE_WORD),
        (Record("", "two\twords", (("a", "b"),)), ImportFault.NAME_NOT_ONE_WORD),
        (Record("", "x" * 256, (("a", "b"),)), ImportFault.NAME_TOO_LONG),
        (Record("", "nothing"), ImportFault.EMPTY),
        (Record("", "nul", (("a", "b\0"),)), ImportFault.NOT_TEXT),
        (Record("", "half", (("a", "b\ud83d"),)), ImportFault.NOT_TEXT),
        (Record("", "named", (("a\0", "b"),)), ImportFault.NOT_TEXT),
        (Record("", "noted", (("a", "b"),), note="\0"), ImportFault.NOT_TEXT),
    ],
)
def test_sound_records_turns_each_other_record_into_a_fault(record: Record, fault: ImportFault) -> None:
    faults = Faults()
    first = Record("", "first", (("a", "ä"),))
    assert list(sound_records([first, record], faults, must_have_content=True)) == [first]
    assert faults.counts == {fault: 1}


def test_longest_name_has_255_characters() -> None:
    faults, record = Faults(), Record("", "x" * 255, (("a", "b"),))
    assert list(sound_records([record], faults, must_have_content=True)) == [record]


def test_copy_lines_escape_what_postgresql_s_format_reserves() -> None:
    """As in PostgreSQL's documentation of COPY: tab, line ends and backslash; in JSON only the backslash."""
    record = Record("line 2", "a\tb", (('say "x"', "C:\\n\n"),), note="one\r\ntwo\\", stratum="a\tb")
    assert copy_line(record, []) == (
        'a\\tb\t[["say \\\\"x\\\\"", "C:\\\\\\\\n\\\\n"]]\t\\N\t{}\tone\\r\\ntwo\\\\\ta\\tb\tline 2\n'
    )
    assert copy_line(Record("line 3", "a"), ["ab", "cd", "ef"]) == "a\t[]\tab\t{cd,ef}\t\t\tline 3\n"


def test_every_fault_has_words() -> None:
    assert set(KINDS) == set(ImportFault)


def test_faults_keep_the_first_examples_as_storable_text() -> None:
    faults = Faults()
    for number in range(EXAMPLES + 3):
        faults.add(ImportFault.NOT_JSON, f"line {number}", "\0\ud83d" + "x" * 200)
    (entry,) = faults.to_json()
    assert (entry["count"], len(entry["examples"]), entry["is_refused"]) == (EXAMPLES + 3, EXAMPLES, True)
    assert entry["examples"][0]["place"] == "line 0"
    assert entry["examples"][0]["value"] == "␀?" + "x" * 118 + "…"


def test_invisible_characters_are_a_fault_that_keeps_the_record() -> None:
    faults = Faults()
    records = [
        Record("line 1", "plain", (("title", "می\u200cخواهم"), ("text", "ä"))),
        Record("line 2", "tagged", (("title", "a"), ("text", "barn\U000e0041\u200b"))),
        Record("line 3", "turned", (("title", "\u202ebarn"), ("text", "\u202eb"))),
    ]
    assert list(sound_records(records, faults, must_have_content=True)) == records
    assert faults.counts == {ImportFault.HIDDEN_CHARACTERS: 2}
    assert faults.refused_count == 0
    assert faults.examples[ImportFault.HIDDEN_CHARACTERS] == [
        ("line 2", "tagged, text: U+200B, U+E0041"),
        ("line 3", "turned, title: U+202E"),
    ]


def test_samples_show_texts_as_people_and_models_see_them() -> None:
    assert sample_of(Record("line 1", "a", (("text", "ba\u200brn"),)), None)["fields"] == [["text", "barn"]]
