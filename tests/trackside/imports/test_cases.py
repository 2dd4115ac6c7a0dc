"""Inputs of public bug reports, with the right value of their README."""

import pytest

from tests.oracles.shared import shared_folder
from trackside.imports.faults import Faults
from trackside.imports.readers import read_collection, read_topics
from trackside.imports.records import Record, sound_records


def _read(kind: str, name: str, *columns: str) -> tuple[dict[str, dict[str, str]], Faults, list[Record]]:
    path, faults = shared_folder("cases", "imports3", kind) / name, Faults()
    with path.open("rb") as file:
        records = read_collection(file, str(path), faults, columns=columns)
        sound = list(sound_records(records, faults, must_have_content=True))
        for record in sound:
            assert not record.pictures or record.pictures[0]()
    return {record.name: dict(record.fields) for record in sound}, faults, sound


TOPICS = {
    "topic_markup/less_than.txt": {
        "5": {"title": "mill", "narrative": "Values with p < 0.05 are relevant, others are not."}
    },
    "topic_markup/markup.txt": {
        "6": {"title": "mill", "narrative": "About <b>water</b> mills & dams, and wind."}
    },
    "topic_markup/cdata.xml": {"7": {"query": "mill & dam < 3"}},
    "topic_markup/attributes.xml": {
        "8": {"query": "mills", "subtopic 1": "water mills", "subtopic 2": "a map of mills"}
    },
    "topic_markup/text_only.xml": {"9": {"text": "A 58-year-old with a cough"}},
    "topic_markup/references.xml": {"10": {"title": "café — x"}},
    "topic_markup/narrative_label.txt": {
        "11": {"title": "mill", "narrative": "Pertinent documents name a mill."}
    },
    "topic_markup/ntcir.xml": {"0001": {"content": "ascii code"}},
    "field_names/array.json": {"C1": {"question": "mill"}},
    "field_names/beir.jsonl": {"q1": {"text": "mill"}},
    "field_names/irds.jsonl": {"q1": {"text": "mill"}},
    "field_names/ms.jsonl": {"7": {"passage": "mill"}},
    "field_names/rag.jsonl": {"x#1": {"segment": "mill"}},
    "gold_columns/topics.jsonl": {"g1": {"query": "which mill still grinds"}},
    "zip_captions_lost/metadata_csv.zip": {"a": {"text": "a mill"}, "b": {"text": "a dam"}},
    "zip_captions_lost/metadata_jsonl.zip": {"a": {"text": "a mill"}},
    "zip_captions_lost/captions_tsv.zip": {"a": {"caption": "a mill"}},
    "zip_captions_lost/coco.zip": {"a": {"caption": "a mill"}},
    "zip_captions_lost/sidecar.zip": {"a": {"caption": "a mill"}},
}


@pytest.mark.parametrize("case", TOPICS)
def test_cases_are_read_whole(case: str) -> None:
    kind, name = case.split("/")
    read, faults, records = _read(kind, name)
    assert (read, faults.counts) == (TOPICS[case], {})
    assert all(record.pictures for record in records) == (kind == "zip_captions_lost")


def test_nan_is_no_word() -> None:
    read, faults, _ = _read("json_not_a_number", "docs.jsonl")
    assert read == {"d1": {"page": "mill"}}
    assert dict(faults.counts) == {"empty": 2, "field_not_text": 1}


def test_tabs_have_no_quotes() -> None:
    read, faults, _ = _read("tsv_quotes_refused", "topics.tsv", "id", "title")
    assert (list(read), faults.counts) == (["301", "302", "303", "304"], {})
    assert read["303"] == {"title": 'screen 15" wide'}


@pytest.mark.parametrize("name", ["trec.txt", "covid.xml", "header.tsv", "beir.jsonl"])
def test_command_reads_the_topics_that_the_site_reads(name: str) -> None:
    path = shared_folder("cases", "imports3", "check_topics_files") / name
    assert read_topics(path) == {"301", "302"} == set(_read("check_topics_files", name)[0])
