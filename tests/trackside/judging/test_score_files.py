import csv
from io import BytesIO

import pytest

from tests.refusals import refused
from trackside.backends.imported import Imported
from trackside.judging.score_files import read_scores
from trackside.judging.settings import Settings

SCORES = {("T1", "D1"): 85.0, ("T1", "D2"): 0.5}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.csv", "topic,docno,score\nT1,D1,85\nT1,D2,0.5\n"),
        ("s.csv", "\ufeffdocno,extra,score,topic\nD1,x,85,T1\nD2,y,0.5,T1\n"),
        ("s.tsv", "topic\tdocno\tscore\nT1\tD1\t85\nT1\tD2\t0.5\n"),
        (
            "s.jsonl",
            '{"topic": "T1", "docno": "D1", "score": 85}\n\n{"topic": "T1", "docno": "D2", "score": "0.5"}',
        ),
        ("s.qrels", "T1 0 D1 85\nT1\t0\tD2\t0.5\r\n"),
    ],
)
def test_scores_are_read_from_each_kind_of_file(name: str, content: str) -> None:
    assert read_scores(BytesIO(content.encode()), name) == SCORES


def test_quotes_of_tsv_are_characters() -> None:
    content = b'topic\tdocno\tscore\nT1\t"D1\t2\nT1\tD2"\t3\n'
    assert read_scores(BytesIO(content), "s.tsv") == {("T1", '"D1'): 2.0, ("T1", 'D2"'): 3.0}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.csv", b"topic,docno\nT1,D1\n", "line 2: it lacks one of topic, docno, score"),
        ("s.csv", b"topic,docno,score\nT1,D1,high\n", 'line 2: the score "high" is not a finite number'),
        ("s.csv", b"topic,docno,score\nT1,D1,nan\n", "not a finite number"),
        ("s.csv", b"topic,docno,score\nT1,D1,1\nT1,D1,1\n", "line 3: T1 D1 is listed twice"),
        ("s.jsonl", b'{"topic": "T1"\n', "line 1: not JSON"),
        ("s.jsonl", b"[1]\n", "line 1: not a JSON object"),
        ("s.jsonl", b'{"topic": ["T1"], "docno": "D1", "score": 1}', 'the topic \\["T1"\\] is not text'),
        ("s.jsonl", b'{"topic": "T1", "docno": true, "score": 1}', "the docno true is not text"),
        ("s.jsonl", rb'{"topic": "T1", "docno": "D\ud83d", "score": 1}', r"D\\ud83d"),
        (
            "s.jsonl",
            b'{"topic": "T1", "docno": "D1", "score": true}',
            "score true is not a finite number",
        ),
        ("s.jsonl", b'{"topic": "T1", "docno": "D1", "score": [1]}', "not a finite number"),
        ("s.jsonl", b'{"topic": "T1", "docno": "D1", "score": 1%s}' % (b"0" * 400), "not a finite number"),
        # Nothing is dropped or read as something else: cells, line ends, keys, digits.
        ("s.csv", b"topic,docno,score\nT1,D1,4,5\n", "line 2: it has more cells than the header"),
        ("s.csv", b'topic,docno,score\nT1,"D1,1\nT1,D2,1\n', "not a row of a table"),
        (
            "s.jsonl",
            b'{"topic": "T1", "docno": "D1", "score": 1, "score": 2}',
            "line 1: score is there twice",
        ),
        ("s.csv", b"topic,docno,score\nT1,D1,1_0\n", 'score "1_0" is not a finite number'),
        ("s.jsonl", b"[" * 100_000, "line 1: not JSON"),
        ("s.qrels", b"T1 0 D1\n", "line 1: 3 columns"),
        ("s.qrels", b"", "has no scores"),
        ("s.qrels", b"T1 0 D\xff 1\n", "line 1: byte 7 is not UTF-8"),
        ("s.qrels", b"x" * 1_000_001, "line 1: longer than 1,000,000 bytes"),
        ("s.qrels", b"bad\n" * 9, "And 4 more"),
    ],
)
def test_bad_lines_are_named(name: str, content: bytes, words: str) -> None:
    with refused("scores-refused", match=words):
        read_scores(BytesIO(content), name)


def test_cell_that_never_ends_is_named() -> None:
    limit = csv.field_size_limit(1_000)  # the process's own, which other imports raise
    try:
        with refused("scores-refused", match="line 3: not a row of a table"):
            read_scores(BytesIO(b"topic,docno,score\nT1,D1,1\n" + b"x" * 2_000), "s.csv")
    finally:
        csv.field_size_limit(limit)


def test_imported_judge_is_its_file() -> None:
    settings = Settings(backend="imported", revision=0, model="s.csv", model_revision="")
    with refused("scores-refused"):
        Imported.pinned(settings)
