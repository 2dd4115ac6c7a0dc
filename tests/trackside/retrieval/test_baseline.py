"""Runs of BM25 and of encoders against plain implementations."""

import io
import json
import math
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from trackside.cli.main import main
from trackside.files import Rankings
from trackside.images import small_copy
from trackside.retrieval.ranking import best, vector_rankings

WORDS = ["lock", "weir", "mill", "barge", "canal", "bridge", "gate", "sluice", "towpath", "heron"]
K1, B = 1.5, 0.75


def oracle(topic: str, documents: dict[str, str]) -> dict[str, float]:
    """BM25 as in Lucene: idf ln(1 + (N - n + .5) / (n + .5)), no factor k1 + 1 (Kamphuis et al. 2020)."""
    words = {docno: Counter(re.findall(r"\w\w+", text.lower())) for docno, text in documents.items()}
    lengths = {docno: sum(counts.values()) for docno, counts in words.items()}
    mean = sum(lengths.values()) / len(lengths)
    scores = {}
    for docno, counts in words.items():
        score = 0.0
        for word in re.findall(r"\w\w+", topic.lower()):
            found = sum(word in other for other in words.values())
            idf = math.log(1 + (len(documents) - found + 0.5) / (found + 0.5))
            tf = counts[word]
            score += idf * tf / (tf + K1 * (1 - B + B * lengths[docno] / mean))
        if score:
            scores[docno] = score
    return scores


def write(path: Path, rows: dict[str, str]) -> str:
    path.write_text("".join(json.dumps({"id": name, "title": text}) + "\n" for name, text in rows.items()))
    return str(path)


def test_bm25_is_that_of_a_plain_implementation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(3)
    documents = {f"d{number}": " ".join(rng.choices(WORDS, k=rng.randrange(2, 12))) for number in range(60)}
    topics = {"1": "lock mill lock", "2": "heron", "3": "nothing of it"}
    paths = write(tmp_path / "topics.jsonl", topics), write(tmp_path / "documents.jsonl", documents)

    given = ["--topics", paths[0], "--documents", paths[1], "--bm25", "--tag", "bm25"]
    assert main(["baseline", *given]) == 0

    written = capsys.readouterr()
    run = Rankings.from_file(io.BytesIO(written.out.encode()))
    assert run.tag == "bm25"
    for topic in ("1", "2"):
        expected = oracle(topics[topic], documents)
        assert dict(run[topic]) == pytest.approx(expected, rel=1e-5)
        shown = [line.split()[2] for line in written.out.splitlines() if line.split()[0] == topic]
        assert [expected[docno] for docno in shown] == sorted(expected.values(), reverse=True)
    assert "3" not in run
    assert "1 topic without a result, such as 3" in written.err
    assert main(["baseline", *given, "--depth", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_clip_ranks_pictures_by_cosine(
    tmp_path: Path, tiny_clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.judges.tiny_clip import plain_cosines

    colours = {"red": (200, 30, 30), "green": (30, 180, 40), "blue": (20, 40, 200)}
    (tmp_path / "pictures").mkdir()
    images = {}
    for name, colour in colours.items():
        content = io.BytesIO()
        Image.new("RGB", (64, 48), colour).save(content, "PNG")
        images[name] = content.getvalue()
        (tmp_path / "pictures" / f"{name}.png").write_bytes(images[name])
    (tmp_path / "pictures" / "torn.png").write_bytes(images["red"][:40])
    topics = {"1": "red", "2": "the barn"}

    given = ["--topics", write(tmp_path / "topics.jsonl", topics), "--documents", str(tmp_path / "pictures")]
    assert main(["baseline", *given, "--clip", str(tiny_clip), "--preset", "clipscore-2021"]) == 0

    written = capsys.readouterr()
    run = Rankings.from_file(io.BytesIO(written.out.encode()))
    prompts = [f"A photo depicts {text}" for text in topics.values()]
    shown: list[Image.Image] = [Image.open(io.BytesIO(small_copy(content))) for content in images.values()]
    cosines = plain_cosines(tiny_clip, prompts, shown)
    for row, topic in zip(np.asarray(cosines), topics, strict=True):
        assert dict(run[topic]) == pytest.approx(dict(zip(images, row.tolist(), strict=True)), abs=1e-4)
    assert "1 document of 4 cannot be encoded" in written.err


def test_encoder_reads_the_chosen_fields_alone(
    tmp_path: Path, tiny_clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    Image.new("RGB", (64, 48), (200, 30, 30)).save(pictures / "red.png")
    runs = []
    for more, words in (({}, []), ({"text": "blue barn"}, ["--topic-fields", "title"])):
        topic = json.dumps({"id": "1", "title": "red"} | more)
        (tmp_path / "topics.jsonl").write_text(topic + "\n")
        given = ["--topics", str(tmp_path / "topics.jsonl"), "--documents", str(pictures), *words]
        assert main(["baseline", *given, "--clip", str(tiny_clip)]) == 0
        runs.append(capsys.readouterr().out)
    assert runs[0] == runs[1]


def test_best_documents_are_those_of_a_whole_sort() -> None:
    rng = np.random.default_rng(5)
    docnos = [f"d{number:03}" for number in range(200)]
    scores = rng.integers(0, 20, 200).astype(float)
    scores[:30] = -np.inf
    pairs = [(docno, score) for docno, score in zip(docnos, scores.tolist(), strict=True) if score > -1]
    expected = sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)
    for depth in (1, 7, 100, 170, 500):
        assert best(docnos, scores, depth) == expected[:depth]


def test_blocks_of_documents_change_no_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    topics, documents = rng.normal(size=(3, 8)), rng.normal(size=(50, 8))
    docnos = [f"d{number}" for number in range(50)]
    whole = vector_rankings(topics, docnos, documents, depth=9)
    monkeypatch.setattr("trackside.retrieval.ranking.BLOCK", 7)
    parts = vector_rankings(topics, docnos, documents, depth=9)
    assert [[docno for docno, _ in row] for row in parts] == [[docno for docno, _ in row] for row in whole]


def test_documents_of_stop_words_alone_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = write(tmp_path / "topics.jsonl", {"1": "lock"}), write(tmp_path / "d.jsonl", {"d": "the of"})
    assert main(["baseline", "--topics", paths[0], "--documents", paths[1], "--bm25"]) == 2
    assert "no word but English stop words" in capsys.readouterr().err


REFUSED = {
    "one field of two": (["--bm25", "--topic-fields", "title,caption"], "no topic has the field caption"),
    "field of an encoder": (
        ["--sentences", "x", "--document-fields", "body"],
        "no document has the field body",
    ),
    "field": (
        ["--bm25", "--topic-fields", "caption"],
        "no topic has the field caption. The fields are: title",
    ),
    "two ways": (["--bm25", "--clip", "x"], "not allowed with"),
    "no model": (["--clip", "nowhere"], "nowhere"),
    "tag": (["--bm25", "--tag", "a b"], "--tag: one word"),
    "preset": (["--clip", "x", "--preset", "p"], "--preset p: choose one of"),
}


@pytest.mark.parametrize(("options", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_ranked_is_refused_in_words(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = write(tmp_path / "topics.jsonl", {"1": "lock"}), write(tmp_path / "d.jsonl", {"d": "lock"})
    try:
        status = main(["baseline", "--topics", paths[0], "--documents", paths[1], *options])
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status == 2
    assert words in capsys.readouterr().err
