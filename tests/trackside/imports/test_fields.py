"""The uses of fields: proposed by their names, or as an organizer chose."""

from typing import Any

import pytest

from trackside.imports.faults import Faults
from trackside.imports.field_names import NAMES, find_key, is_left_out, is_text_name
from trackside.imports.fields import FieldChoice, FieldsRefused, Row
from trackside.imports.records import RecordMaker

IDS = "_id id ID query_id query-id qid docid pid file_name image_id docno"
ANSWERS = """
    gold_ids answer answers reasoning gpt_4o_reasoning goldIds pos_cand_list relevantDocs excluded_ids
    ground_truth positive_passages qrels label expected_answer @type
"""
TEXTS = "title query text caption description narrative question caption_2 EN-title title_de"
UNKNOWN = "category goldfish kind verbiage"


@pytest.mark.parametrize("name", IDS.split())
def test_common_names_of_ids_are_proposed(name: str) -> None:
    assert find_key(["title", name, "text"], NAMES) == name


@pytest.mark.parametrize("name", ANSWERS.split())
def test_fields_with_answers_are_proposed_to_be_left_out(name: str) -> None:
    assert is_left_out(name)


@pytest.mark.parametrize("name", TEXTS.split())
def test_names_of_texts_are_known(name: str) -> None:
    assert is_text_name(name)


@pytest.mark.parametrize("name", UNKNOWN.split())
def test_organizers_are_asked_about_other_fields(name: str) -> None:
    assert not is_text_name(name)
    assert not is_left_out(name)


ROW = {"_id": "1", "lang": "en", "q": "mill", "answer": "d1", "kind": "nav", "more": "dam", "note": "n"}


def _record(choice: FieldChoice, values: dict[str, Any]) -> Any:
    return RecordMaker(Faults(), choice).record(Row("line 1", values))


def test_organizer_chooses_id_texts_in_order_stratum_and_what_is_left_out() -> None:
    choice = FieldChoice("q", ("more", "answer"), "", "kind", ("lang",))
    record = _record(choice, ROW)
    assert (record.name, record.stratum, record.note) == ("mill", "nav", "n")
    assert record.fields == (("more", "dam"), ("answer", "d1"))
    assert record.left_out == (("_id", "1"), ("lang", "en"))


def test_object_that_is_left_out_is_no_fault_and_an_empty_one_is_no_value() -> None:
    """BEIR's records have an object of metadata, which is often empty."""
    for metadata, left_out in (({}, ()), ({"url": "x"}, (("metadata", "{'url': 'x'}"),))):
        faults = Faults()
        maker = RecordMaker(faults, FieldChoice(left_out=("metadata",)))
        record = maker.record(Row("line 1", {"_id": "1", "text": "mill", "metadata": metadata}))
        assert record is not None
        assert (record.fields, record.left_out, faults.counts) == ((("text", "mill"),), left_out, {})
    faults = Faults()
    assert RecordMaker(faults).record(Row("line 1", {"_id": "1", "metadata": {}})) is not None
    assert faults.counts == {}


def test_row_without_the_chosen_fields_is_used_as_proposed() -> None:
    record = _record(FieldChoice("docno", ("body",)), ROW)
    assert record.name == "1"
    assert record.fields == ()  # none of them has the name of a text
    assert [key for key, _ in record.left_out] == ["lang", "q", "answer", "kind", "more"]


def test_picture_names_a_record_only_if_no_other_field_was_chosen() -> None:
    row = Row("line 1", {"file_name": "a.png", "title": "mill"})
    assert RecordMaker(Faults()).record(row, has_pictures=True) is not None
    chosen, picture = (
        RecordMaker(Faults(), FieldChoice("code")),
        Row("line 1", {"img": "a.png", "title": "mill"}),
    )
    assert RecordMaker(Faults()).record(picture, has_pictures=True) is not None
    assert chosen.record(picture, has_pictures=True) is None


def test_fields_are_counted_with_the_share_of_filled_rows() -> None:
    maker = RecordMaker(Faults())
    for values in (
        {"id": "1", "text": "a", "answer": " "},
        {"id": "2", "text": None},
        {"id": "3", "text": "b"},
    ):
        maker.record(Row("", values))
    assert [(field["name"], field["use"], field["share"]) for field in maker.counts.to_json()] == [
        ("id", "id", 1.0),
        ("text", "text", 2 / 3),
        ("answer", "left out", 0.0),
    ]


def test_choice_survives_json() -> None:
    choice = FieldChoice("_id", ("q", "more"), "image", "kind", ("answer",))
    assert FieldChoice.from_json(choice.to_json()) == choice
    assert FieldChoice.from_json({}) == FieldChoice()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "one object"),
        ({"name": "x"}, "one object"),
        ({"texts": "q"}, "lists of names"),
        ({"texts": [1]}, "are texts"),
        ({"id": "a\0"}, "are texts"),
        ({"texts": ["q"], "left_out": ["q"]}, "q: chosen twice"),
        ({"texts": ["q", "q"]}, "q: chosen twice"),
        ({"id": "q", "texts": ["q"]}, "q: chosen twice"),
    ],
)
def test_choice_that_is_no_choice_is_refused(values: Any, words: str) -> None:
    with pytest.raises(FieldsRefused, match=words):
        FieldChoice.from_json(values)
