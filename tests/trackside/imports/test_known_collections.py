"""Files in the shapes of public collections: their ids and texts; no answer or label is a text."""

import io
import json
import unicodedata
import zipfile
from typing import Any

import pytest

from tests.oracles.shared import shared_folder
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.known_collections import known_collections
from trackside.imports.readers import read_collection
from trackside.imports.records import Record, RecordMaker, sound_records


def read(content: bytes, *, is_topics: bool = True) -> tuple[list[Record], RecordMaker]:
    faults = Faults()
    maker = RecordMaker(faults, is_topics=is_topics)
    records = read_collection(io.BytesIO(content), "", faults, maker=maker)
    return list(sound_records(records, faults, must_have_content=True)), maker


def lines(*rows: dict[str, Any]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def shown(records: list[Record]) -> dict[str, list[str]]:
    """The names of the fields that people see, by record."""
    return {record.name: [key for key, _ in record.fields] for record in records}


# (rows, the names of the records, the fields that people see), by hand from the collections' descriptions.
COLLECTIONS: dict[str, tuple[list[dict[str, Any]], list[str], list[str]]] = {
    "MS MARCO v2 passages": (
        [
            {"pid": "p1", "passage": "a", "spans": "(0,1)", "docid": "d1"},
            {"pid": "p2", "passage": "b", "spans": "(1,2)", "docid": "d1"},
        ],
        ["p1", "p2"],
        ["passage"],
    ),
    "ViDoRe v2": (
        [
            {"corpus-id": 1, "markdown": "a", "doc-id": "report", "image": None},
            {"corpus-id": 2, "markdown": "b", "doc-id": "report", "image": None},
        ],
        ["1", "2"],
        ["markdown"],
    ),
    "OVEN": (
        [{"data_id": "o1", "image_id": "i", "question": "q", "entity_id": "Q1", "entity_text": "weir"}],
        ["o1"],
        ["question"],
    ),
    "FEVER": (
        [{"id": 7, "verifiable": "YES", "label": "SUPPORTS", "claim": "c", "evidence": [["e"]]}],
        ["7"],
        ["claim"],
    ),
    "QReCC": (
        [
            {"Conversation_no": 1, "Turn_no": 1, "Question": "q", "Rewrite": "r", "Answer": "a"},
            {"Conversation_no": 1, "Turn_no": 2, "Question": "q", "Rewrite": "r", "Answer": "a"},
        ],
        ["1_1", "1_2"],
        ["Question"],
    ),
    "M-BEIR": (
        [
            {
                "qid": "9:1",
                "query_txt": "t",
                "query_img_path": None,
                "query_modality": "t",
                "pos_cand_list": ["x"],
                "neg_cand_list": [],
            }
        ],
        ["9:1"],
        ["query_txt"],
    ),
    "unknown, two ids": (
        [{"doc_id": "d", "product_id": "x", "text": "a"}, {"doc_id": "d", "product_id": "y", "text": "b"}],
        ["x", "y"],
        ["text"],
    ),
    "unknown, with an answer": (
        [{"questionId": 5, "question": "q", "wikipedia_id": "99", "verdict": "true", "entity_text": "weir"}],
        ["5"],
        ["question"],
    ),
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_public_collection_is_known_by_its_columns(name: str) -> None:
    rows, names, fields = COLLECTIONS[name]
    records, _ = read(lines(*rows))
    assert shown(records) == dict.fromkeys(names, fields)


def test_every_id_and_text_of_the_table_is_a_column_and_no_two_collections_are_alike() -> None:
    collections = known_collections()
    assert len({known.columns for known in collections}) == len(collections) > 60
    for known in collections:
        assert not known.id or known.id in known.columns or known.rows, known.name
        assert set(known.joined) <= known.columns, known.name
        has_others = known.rows or known.picture or not known.texts
        assert has_others or set(known.texts) & known.columns, known.name


def test_pairs_are_named_by_both_of_their_ids() -> None:
    pair = {"id": 371, "similarity_score": 0.2, "falsified": False}
    _, maker = read(json.dumps({"annotations": [pair | {"image_id": 371}, pair | {"image_id": 99}]}).encode())
    assert maker.faults.examples == {
        ImportFault.EMPTY: [("annotations, element 1", "371-371"), ("annotations, element 2", "371-99")]
    }


CAST = [
    {
        "number": number,
        "title": "mills",
        "turn": [{"number": turn, "raw_utterance": f"u{turn}"} for turn in (1, 2)],
    }
    for number in (31, 32)
]
SQUAD = {
    "data": [
        {
            "title": "Mills",
            "paragraphs": [
                {
                    "context": "A mill.",
                    "qas": [{"id": f"q{n}", "question": "what?", "answers": [{"text": "a"}]}],
                }
                for n in (1, 2)
            ],
        }
    ]
}


@pytest.mark.parametrize("whole", [CAST, CAST[:1]])
def test_turns_of_conversations_are_topics_named_by_both_numbers(whole: Any) -> None:
    records, maker = read(json.dumps(whole).encode())
    names = [f"{conversation['number']}_{turn}" for conversation in whole for turn in (1, 2)]
    assert shown(records) == {name: ["title", "raw_utterance"] for name in names}
    assert [field["name"] for field in maker.counts.to_json() if field["use"] == "rows"] == ["turn"]


def test_questions_of_articles_are_topics_with_their_own_ids() -> None:
    records, maker = read(json.dumps(SQUAD).encode())
    assert shown(records) == {name: ["question"] for name in ("q1", "q2")}
    assert {field["name"] for field in maker.counts.to_json() if field["is_asked"]} >= {"title", "context"}
    assert [field["name"] for field in maker.counts.to_json() if field["is_list"]] == [
        "paragraphs",
        "paragraphs.qas",
    ]


def test_lists_of_other_names_are_offered_and_asked_about() -> None:
    (record,), maker = read(lines({"id": "T", "title": "mill", "subtopics": [{"id": 1, "text": "dam"}]}))
    assert record.fields == (("title", "mill"),)
    (field,) = (field for field in maker.counts.to_json() if field["name"] == "subtopics")
    assert (field["use"], field["is_list"], field["is_asked"]) == ("left out", True, True)


def test_record_whose_only_content_is_left_out_is_refused() -> None:
    records, maker = read(lines({"id": 1, "verbiage": "a mill by a river"}))
    assert (records, maker.faults.counts) == ([], {ImportFault.EMPTY: 1})
    assert [field["name"] for field in maker.counts.to_json() if field["is_asked"]] == ["verbiage"]


def test_captions_of_a_list_are_texts_of_their_own() -> None:
    karpathy = {
        "images": [
            {
                "filename": "1.jpg",
                "imgid": 0,
                "sentences": [{"raw": "a mill", "sentid": 0}, {"raw": "a dam"}],
            },
        ]
    }
    for name, content in {
        "captions.json": json.dumps([{"image": "1.jpg", "caption": ["a mill", "a dam"]}]).encode(),
        "karpathy.json": json.dumps(karpathy).encode(),
        "flickr.csv": b'filename,raw\n1.jpg,"[""a mill"", ""a dam""]"\n',
    }.items():
        (record,), _ = read(zip_of({name: content, "1.jpg": b"1"}), is_topics=False)
        assert (record.name, record.fields) == ("1", (("caption 1", "a mill"), ("caption 2", "a dam")))


def test_pictures_are_found_whatever_a_system_did_to_their_names() -> None:
    names = {"a": "img\\café.jpg", "b": "my%20mill.jpg", "7": "", "c": "WEIR.JPG"}
    rows = [{"id": key, "text": "x", **({"image": name} if name else {})} for key, name in names.items()]
    files = {f"img/{unicodedata.normalize('NFD', 'café')}.jpg": b"a", "my mill.jpg": b"b"}
    files |= {"0000000007.jpg": b"7", "weir.jpg": b"c", "m.jsonl": lines(*rows)}
    records, maker = read(zip_of(files), is_topics=False)
    assert {record.name: record.pictures[0]() for record in records} == {
        key: key.encode() for key in ("a", "b", "7", "c")
    }
    assert maker.faults.counts == {}


def test_missing_picture_names_the_one_that_was_probably_meant() -> None:
    content = zip_of(
        {"m.jsonl": lines({"id": "a", "text": "x", "image": "mill_1.jpg"}), "mill_1_big.jpg": b"1"}
    )
    _, maker = read(content, is_topics=False)
    ((_, value),) = maker.faults.examples[ImportFault.IMAGE_MISSING]
    assert value == "mill_1.jpg; did you mean mill_1_big.jpg?"


def test_unused_picture_names_the_record_whose_id_probably_means_it() -> None:
    rows = [{"id": name, "text": "x"} for name in ("mill_1", "weir", "lock")]
    files = {f"{name}.jpg": name.encode() for name in ("z", "mill_1_big", "weir")}
    _, maker = read(zip_of(files | {"m.jsonl": lines(*rows)}), is_topics=False)
    assert maker.faults.examples[ImportFault.IMAGE_UNUSED] == [
        ("mill_1_big.jpg", "mill_1; did you mean mill_1_big.jpg?"),
        ("z.jpg", ""),
    ]
    assert maker.faults.counts == {ImportFault.IMAGE_UNUSED: 2}


@pytest.mark.parametrize("name", [True, 1e22, ["x"]])
def test_value_that_a_program_made_of_a_name_is_a_fault(name: Any) -> None:
    records, maker = read(lines({"id": name, "text": "a"}))
    assert (records, maker.faults.counts) == ([], {ImportFault.NAME_NOT_TEXT: 1})


@pytest.mark.parametrize("name", ["true", "NaN", "None", "null", "1E+05", '"[1, 2]"'])
def test_text_that_a_program_wrote_for_no_name_is_a_fault(name: str) -> None:
    records, maker = read(f"id,title\n{name},weir\nnanking,lock\n1e5,mill\n".encode())
    assert list(shown(records)) == ["nanking", "1e5"]
    assert maker.faults.counts == {ImportFault.NAME_NOT_TEXT: 1}


def test_whole_numbers_with_a_point_are_whole_numbers_if_all_are() -> None:
    assert list(shown(read(b"id,title\n301.0,weir\n302.0,lock\n")[0])) == ["301", "302"]
    assert list(shown(read(b"id,title\n1.0,weir\n1.1,lock\n")[0])) == ["1.0", "1.1"]


def test_fields_of_organizers_and_pictures_are_no_texts_whatever_their_case() -> None:
    (record,), maker = read(lines({"id": 1, "Title": "mill", "Note": "secret", "query_img_path": "a.jpg"}))
    assert (record.fields, record.note) == ((("Title", "mill"),), "secret")
    assert maker.faults.examples == {ImportFault.IMAGE_MISSING: [("line 1", "a.jpg")]}


def test_shared_cases_of_imports_are_read_as_their_readmes_say() -> None:
    folder = shared_folder("cases", "imports4")
    passages, _ = read((folder / "id_of_the_whole_document/passages.jsonl").read_bytes())
    assert list(shown(passages)) == ["p_00_0", "p_00_8", "p_00_16"]
    (picture,), _ = read((folder / "captions_in_a_list/ann.zip").read_bytes(), is_topics=False)
    assert picture.fields == (("caption 1", "a mill"), ("caption 2", "a water mill"))
    assert list(shown(read((folder / "ids_of_a_program/float.csv").read_bytes())[0])) == ["301", "302"]
    assert read((folder / "ids_of_a_program/odd.jsonl").read_bytes())[0] == []
    _, maker = read((folder / "pairs_of_newsclippings/pairs.json").read_bytes())
    uses = {field["name"]: field["use"] for field in maker.counts.to_json()}
    assert uses["falsified"] == uses["similarity_score"] == "left out"
    assert uses["id-image_id"] == "id"
