"""`python -m tools.atomic`, on four images and two texts whose values are worked out by hand."""

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from tools.atomic import OTHERS, REFERENCE, main, make_data, nested

# Section s1 asks for "red castle", s2 for "river"; their contexts say "castle" and "hill".
CAPTIONS = {"i1": "red castle", "i2": "blue river", "i3": "red river", "i4": "green hill"}
TEXTS = {"s1": ("red castle", "castle"), "s2": ("river", "hill")}


def write(folder: Path) -> None:
    images = [
        {"image_id": name, "language": ["en"], "image": {"bytes": b"", "path": None}, REFERENCE: [caption]}
        | {other: ["castle" if name == "i1" else "photo"] for other in OTHERS.split(",")}
        for name, caption in CAPTIONS.items()
    ]
    pl.DataFrame(images).write_parquet(folder / "images.parquet")
    texts = [
        {
            "section_id": name,
            "page_title": title,
            "section_title": "aa",
            "context_page_description": "bb",
            "context_section_description": context,
        }
        for name, (title, context) in TEXTS.items()
    ]
    pl.DataFrame(texts).write_parquet(folder / "texts.parquet")
    (folder / "train.qrels").write_text("s1 0 i1 1\ns1 0 x 1\n")
    (folder / "validation.qrels").write_text("s2 0 i3 1\n")
    (folder / "test.qrels").write_text("s1 0 i1 1\ns2 0 i2 1\n")


def test_tables_have_the_values_of_a_hand_computation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    main([str(tmp_path)])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["texts", "page_title", "2", "100.0", "%", "1.5", "1"] in rows
    assert ["train", "1", "2", "2", "2.00", "1"] in rows
    assert ["test", "2", "2", "2", "1.00", "0"] in rows
    # s1 finds i1 first. s2 finds i4 first, by the rarest word, then i3 and i2, whose scores are equal, in
    # descending order: 1/3. With titles alone i3 and i2: 1/2. With contexts alone i4: 0.
    assert ["BM25", "0.6667", "1.0000", "1.0000"] in rows
    assert ["titles", "of", "texts", "0.7500", "1.0000", "1.0000"] in rows
    assert ["contexts", "of", "texts", "0.5000", "0.5000", "0.5000"] in rows
    # Of other captions, s1 finds i1, and s2 nothing.
    assert ["other", "captions", "0.5000", "0.5000", "0.5000"] in rows
    # The smallest corpus has i1 and i2, so s2 finds i2 first.
    assert rows[rows.index(["images", "BM25", "RR@10", "BM25", "R@10"]) + 1 :][:2] == [
        ["2", "1.0000", "1.0000"],
        ["4", "0.6667", "1.0000"],
    ]


def test_corpora_are_nested_and_begin_with_the_judged_images() -> None:
    names = [f"i{number}" for number in range(45)]
    corpora = nested(names, {"i3", "i4", "i5", "absent"})
    assert [len(corpus) for corpus in corpora] == [3, 6, 12, 24, 45]
    assert set(corpora[0]) == {"i3", "i4", "i5"}
    assert all(set(small) < set(large) for small, large in pairwise(corpora))


def test_made_data_are_of_the_same_shape(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    make_data(tmp_path / "made")
    write(tmp_path)
    for name in ("images.parquet", "texts.parquet"):
        made, known = (set(pl.read_parquet_schema(folder / name)) for folder in (tmp_path / "made", tmp_path))
        assert made == known
