"""Files in shapes of public collections that no table knows: what a careful person would choose of them."""

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.trackside.imports.test_known_collections import lines, read, shown, zip_of
from trackside.errors import InputError
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.readers import read_collection
from trackside.imports.records import Record, RecordMaker, sound_records


def asked(maker: RecordMaker) -> set[str]:
    return {field["name"] for field in maker.counts.to_json() if field["is_asked"]}


def parquet(rows: list[dict[str, Any]]) -> bytes:
    written = io.BytesIO()
    pl.DataFrame(rows).write_parquet(written)
    return written.getvalue()


def of_parquet(rows: list[dict[str, Any]]) -> tuple[list[Record], RecordMaker]:
    faults = Faults()
    maker = RecordMaker(faults, is_topics=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        path.write_bytes(parquet(rows))
        found = read_collection(io.BytesIO(path.read_bytes()), str(path), faults, maker=maker)
        return list(sound_records(found, faults, must_have_content=True)), maker


def picture(path: str) -> dict[str, Any]:
    return {"bytes": path.encode(), "path": path}


# (rows, names, shown fields, asked fields) of topics
TOPICS: dict[str, tuple[list[dict[str, Any]], list[str], list[str], set[str]]] = {
    "BoolQ": (
        [{"id": n, "question": "q", "passage": "it answers", "answer": True} for n in "12"],
        ["1", "2"],
        ["question"],
        {"passage"},
    ),
    "a query beside its document": (
        [{"qid": n, "query": "q", "text": "gold", "title": "t"} for n in "12"],
        ["1", "2"],
        ["query"],
        {"text", "title"},
    ),
    "names of the page that answers": (
        [
            {"id": n, "question": "q", "page_title": "gold", "name": "gold", "heading": "g", "caption 2": "g"}
            for n in "12"
        ],
        ["1", "2"],
        ["question"],
        {"page_title", "name", "heading", "caption 2"},
    ),
    "questions in a language": (
        [{"id": n, "question_de": "q", "title_de": "gold", "keywords": "g"} for n in "12"],
        ["1", "2"],
        ["question_de"],
        {"title_de", "keywords"},
    ),
    "TREC's fields": (
        [{"id": n, "query": "q", "description": "d", "narrative": "n"} for n in "12"],
        ["1", "2"],
        ["query", "description", "narrative"],
        set(),
    ),
    "a title that no question stands beside": (
        [{"id": n, "title": "t", "page_title": "p", "section_title": "s"} for n in "12"],
        ["1", "2"],
        ["title", "page_title", "section_title"],
        set(),
    ),
    "a query beside an object": (
        [{"id": n, "query": "q", "doc": {"title": "gold", "text": "g"}} for n in "12"],
        ["1", "2"],
        ["query"],
        {"doc.title", "doc.text"},
    ),
    "languages and words that are none": (
        [
            {
                "id": n,
                "title_de": "T",
                "EN-desc": "d",
                "query_id": "7",
                "is_title": False,
                "page_no": 3,
                "gt_caption": "gold",
            }
            for n in "12"
        ],
        ["1", "2"],
        ["title_de", "EN-desc"],
        {"is_title", "page_no", "gt_caption"},
    ),
    "PubMedQA": (
        [
            {"pubid": n, "question": "q", "context": {"contexts": ["c"]}, "final_decision": "yes"}
            for n in (11, 12)
        ],
        ["11", "12"],
        ["question"],
        {"context", "final_decision"},
    ),
    "VizWiz": (
        [{"image": f"{n}.jpg", "question": "q", "answers": [{"answer": "a"}]} for n in "ab"],
        ["a", "b"],
        ["question"],
        set(),
    ),
    "ESCI with its products": (
        [
            {
                "example_id": n,
                "query": "chair",
                "query_id": 0,
                "product_id": f"B{n}",
                "product_locale": "us",
                "esci_label": "E",
                "product_title": "t",
                "product_description": "d",
                "product_bullet_point": "b",
                "product_brand": "x",
                "product_color": "c",
            }
            for n in (4, 5)
        ],
        ["0"],
        ["query"],
        set(),
    ),
    "Natural Questions at Hugging Face": (
        [
            {
                "id": n,
                "document": {"title": "gold"},
                "question": {"text": "q"},
                "annotations": {"id": ["a"]},
                "long_answer_candidates": {"start": [1]},
            }
            for n in "12"
        ],
        ["1", "2"],
        ["question.text"],
        set(),
    ),
}


@pytest.mark.parametrize("name", TOPICS)
def test_topics_show_what_is_asked_and_nothing_that_may_answer_it(name: str) -> None:
    rows, names, fields, questions = TOPICS[name]
    records, maker = read(lines(*rows))
    assert (shown(records), asked(maker)) == (dict.fromkeys(names, fields), questions)


# (file, names, shown fields, asked fields) of documents
DOCUMENTS: dict[str, tuple[bytes, list[str], list[str], set[str]]] = {
    "Elasticsearch": (
        lines(*({"_index": "i", "_id": n, "_source": {"title": "t", "text": "x"}} for n in "12")),
        ["1", "2"],
        ["_source.title", "_source.text"],
        {"_index"},
    ),
    "columns of pandas": (
        json.dumps({"docid": {"0": "d1", "1": "d2"}, "text": {"0": "a", "1": "b"}}).encode(),
        ["d1", "d2"],
        ["text"],
        set(),
    ),
    "lists of columns": (
        json.dumps({"docid": ["d1", "d2"], "text": ["a", "b"]}).encode(),
        ["d1", "d2"],
        ["text"],
        set(),
    ),
    "an index of pandas": (b"Unnamed: 0,text\n0,a\n1,b\n", ["0", "1"], ["text"], set()),
    "TREC CAR": (
        lines({"para_id": "a", "text": "x"}, {"para_id": "b", "text": "y"}),
        ["a", "b"],
        ["text"],
        set(),
    ),
    "a spreadsheet": ("Nr;Größe;Text\n1;x;a, b\n2;y;c\n".encode(), ["1", "2"], ["Text"], {"Größe"}),
    "CLEF": (
        b"<t><topic><identifier>10/1-AH</identifier><title>t</title></topic>"
        b"<topic><identifier>10/2-AH</identifier><title>u</title></topic></t>",
        ["10/1-AH", "10/2-AH"],
        ["title"],
        set(),
    ),
    "blanks around names": (b"id,text\n d1 ,a\n d2,b\n", ["d1", "d2"], ["text"], set()),
    "a list as Python writes it": (
        b'id,captions\n1,"[\'a mill\', ""b\'s""]"\n2,"[\'c\', \'d\']"\n',
        ["1", "2"],
        ["caption 1", "caption 2"],
        set(),
    ),
    "pairs": (
        lines(*({"docid": n, "text": "x", "query": "leak", "relevance": 2} for n in "12")),
        ["1", "2"],
        ["text"],
        {"query", "relevance"},
    ),
    "questions and answers": (
        lines(*({"id": n, "question": "q", "answer": "a"} for n in "12")),
        ["1", "2"],
        ["question"],
        {"answer"},
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_named_and_shown_by_what_their_values_say(name: str) -> None:
    content, names, fields, questions = DOCUMENTS[name]
    records, maker = read(content, is_topics=False)
    assert (shown(records), asked(maker)) == (dict.fromkeys(names, fields), questions)
    assert maker.faults.counts == {}


@pytest.mark.parametrize(
    ("others", "names", "fields"),
    [
        # Flickr30k of nlphuji: the name of the file is no picture that is missing
        ({"caption": ["a", "b"], "img_id": "{n}", "filename": "{n}.jpg"}, "12", ["caption 1", "caption 2"]),
        ({"text": "a mill"}, "12", ["text"]),
        (
            {"query": "leak", "image_filename": "p{n}.jpg", "answer": "a", "page": "1", "source": "s"},
            ["p1", "p2"],
            ["page"],
        ),
    ],
)
def test_rows_that_hold_their_pictures_need_no_field_that_names_them(
    others: dict[str, Any], names: list[str], fields: list[str]
) -> None:
    rows = [
        {"image": picture(f"{n}.jpg")}
        | {key: value.format(n=n) if isinstance(value, str) else value for key, value in others.items()}
        for n in "12"
    ]
    records, maker = of_parquet(rows)
    assert shown(records) == dict.fromkeys(names, fields)
    assert [len(record.pictures) for record in records] == [1, 1]
    assert maker.faults.counts == {}


def test_pictures_of_parquet_in_an_archive_name_their_records() -> None:
    rows = [{"image": picture(f"{n}.jpg"), "text": "a mill"} for n in "ab"]
    records, maker = read(zip_of({"data/train.parquet": parquet(rows)}), is_topics=False)
    assert (shown(records), maker.faults.counts) == ({"a": ["text"], "b": ["text"]}, {})


def test_several_comments_on_a_picture_of_flickr_are_texts() -> None:
    table = b"image_name| comment_number| comment\n1.jpg| 0| a\n1.jpg| 1| b\n2.jpg| 0| c\n"
    records, maker = read(zip_of({"r.csv": table, "1.jpg": b"1", "2.jpg": b"2"}), is_topics=False)
    assert shown(records) == {"1": ["comment 1", "comment 2"], "2": ["comment"]}
    assert asked(maker) == set()


def test_same_name_of_different_records_is_no_name() -> None:
    records, maker = read(lines({"para_id": "a", "text": "x"}, {"para_id": "a", "text": "y"}))
    assert (records, maker.faults.counts) == ([], {ImportFault.NO_NAME: 2})


def test_id_of_an_object_within_the_record_is_no_name() -> None:
    rows = [{"title": name, "author": {"id": name, "name": "n"}} for name in "ab"]
    records, maker = read(lines(*rows))
    assert (records, maker.faults.counts) == ([], {ImportFault.NO_NAME: 2})


def test_header_that_names_a_column_twice_says_which() -> None:
    with pytest.raises(InputError, match="line 1: the header has text twice"):
        read(b"id,text,text\n1,a,b\n")
