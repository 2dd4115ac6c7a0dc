import gzip
from pathlib import Path

import pytest

from trackside.cli.files.loop.judge_scores import read_judges
from trackside.errors import InputError

PAIRS = {("1", "a"): 2.0, ("1", "b"): 0.5}


@pytest.mark.parametrize(
    "text",
    [
        "1 0 a 2\n1 0 b 0.5\n",
        "1 a 2\n\n# a comment\n1\tb\t0.5\n",
        "1 Q0 a 1 2 tag\n1 Q0 b 2 0.5 tag\n",
        "1 a 2\n1 b 0.5\n1 c nan\n",
    ],
)
def test_columns_are_told_apart_by_their_number(text: str, tmp_path: Path) -> None:
    (tmp_path / "judge").write_text(text)
    assert read_judges([str(tmp_path / "judge")]) == {"judge": PAIRS}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("j.csv", "topic,docno,score\n1,a,2\n1,b,0.5\n"),
        ("j.tsv", "topic\tdocno\tscore\n1\ta\t2\n1\tb\t0.5\n"),
        ("j.jsonl", '{"topic": "1", "docno": "a", "score": 2}\n{"topic": "1", "docno": "b", "score": 0.5}\n'),
    ],
)
def test_exports_of_sites_are_read(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_judges([f"judge={tmp_path / name}"]) == {"judge": PAIRS}


def test_packed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "j.qrels.gz").write_bytes(gzip.compress(b"1 0 a 2\n1 0 b 0.5\n"))
    assert next(iter(read_judges([str(tmp_path / "j.qrels.gz")]).values())) == PAIRS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 0 a good\n", "line 1: '1 0 a good' is no score"),
        ("1 a\n", "is no score"),
        ("1 a 1\n1 a 2\n", "line 2: a second score of a for topic 1"),
        ("# nothing\n", "no scores in it"),
    ],
)
def test_bad_lines_are_named(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "j").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_judges([str(tmp_path / "j")])


def test_two_judges_need_two_names(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("1 a 1\n")
    with pytest.raises(InputError, match="two judges are called j"):
        read_judges([str(tmp_path / "j"), str(tmp_path / "j")])
