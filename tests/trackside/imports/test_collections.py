import io
import random
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from tests.refusals import refused
from trackside.errors import InputError
from trackside.image_errors import ImageUnreadable
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.fields import FieldChoice
from trackside.imports.readers import read_collection, read_topics
from trackside.imports.records import Record, RecordMaker


def _read(content: bytes, path: str = "") -> tuple[list[Record], Faults]:
    faults = Faults()
    return list(read_collection(io.BytesIO(content), path, faults)), faults


def test_captions_alone_are_json_lines() -> None:
    records, _ = _read(b'{"docno": "a", "caption": "A"}\n')
    assert [each.fields for each in records] == [(("caption", "A"),)]


def _parquet(
    folder: Path, columns: dict[str, list[object]], **schema: pl.DataType
) -> tuple[list[Record], Faults]:
    path = folder / "part.parquet"
    pl.DataFrame(columns, schema_overrides=schema).write_parquet(path)
    return _read(path.read_bytes(), str(path))


def test_atomic_s_images_give_english_captions_and_the_bytes_of_their_struct(tmp_path: Path) -> None:
    records, faults = _parquet(
        tmp_path,
        {
            "image_url": ["https://example.org/1.jpg", "https://example.org/2.jpg"],
            "image_id": ["i-1", "i-2"],
            "language": [["de", "en"], ["de"]],
            "caption_reference_description": [["Bergsee", "A tarn"], ["Ein Fjord"]],
            "caption_alt_text_description": [[None, "ice"], [None]],
            "caption_attribution_description": ["English: a photo", None],
            "image": [{"bytes": b"webp", "path": None}, {"bytes": None, "path": None}],
        },
    )
    assert [(each.name, each.fields, each.pictures[0]() if each.pictures else None) for each in records] == [
        (
            "i-1",
            (
                ("caption_reference_description", "A tarn"),
                ("caption_alt_text_description", "ice"),
                ("caption_attribution_description", "English: a photo"),
            ),
            b"webp",
        ),
        ("i-2", (("caption_reference_description", "Ein Fjord"), ("language", "de")), None),
    ]
    assert [dict(each.left_out) for each in records] == [
        {
            "image_url": "https://example.org/1.jpg",
            "caption_reference_description (other languages)": "Bergsee",
            "@language": "de en",
        },
        {"image_url": "https://example.org/2.jpg"},
    ]
    assert faults.counts == {}


def test_atomic_s_images_may_be_plain_bytes(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"image_id": ["i"], "image": [b"webp"], "caption": ["A tarn"]}
    ((record,), _) = _parquet(tmp_path, columns)
    assert record.pictures
    assert (record.pictures[0](), record.fields) == (b"webp", (("caption", "A tarn"),))


def test_atomic_s_sections_give_their_texts_in_reading_order(tmp_path: Path) -> None:
    ((record,), _) = _parquet(
        tmp_path,
        {
            "section_id": ["s-1"],
            "context_section_description": ["Formed by ice."],
            "section_title": ["Formation"],
            "page_title": ["Tarn"],
            "hierachy": [["Tarn", "Formation"]],
            "page_url": ["https://example.org"],
            "context_page_description": ["A tarn is a lake."],
        },
    )
    assert record.fields == (
        ("page_title", "Tarn"),
        ("hierachy", "Tarn Formation"),
        ("section_title", "Formation"),
        ("context_page_description", "A tarn is a lake."),
        ("context_section_description", "Formed by ice."),
    )


def test_parquet_rows_are_numbered_from_the_file_s_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trackside.imports.parquet.ROWS", 2)
    records, _ = _parquet(tmp_path, {"docno": ["a", "b", "c"], "text": ["x", "y", "z"]})
    assert [(record.name, record.place) for record in records] == [
        ("a", "row 1"),
        ("b", "row 2"),
        ("c", "row 3"),
    ]


def test_path_of_a_parquet_file_s_picture_is_told(tmp_path: Path) -> None:
    """Hugging Face's datasets write null for the bytes if the pictures stay outside of the file."""
    images: list[object] = [{"bytes": b"webp", "path": "a.webp"}, {"bytes": None, "path": "b.webp"}]
    records, faults = _parquet(tmp_path, {"image_id": ["a", "b"], "image": images, "text": ["mill", "dam"]})
    assert [(record.fields, record.left_out) for record in records] == [
        ((("text", "mill"),), (("image@path", "a.webp"),)),
        ((("text", "dam"),), ()),
    ]
    assert faults.examples == {ImportFault.IMAGE_MISSING: [("row 2", "b.webp")]}


def test_column_of_ids_may_have_any_name(tmp_path: Path) -> None:
    path, faults = tmp_path / "part.parquet", Faults()
    pl.DataFrame({"code": ["A1"], "title": ["Tarn"]}).write_parquet(path)
    proposed = RecordMaker(faults)
    assert list(read_collection(io.BytesIO(b"PAR1"), str(path), faults, maker=proposed)) == []
    assert (faults.counts, list(proposed.counts.filled)) == ({ImportFault.NO_NAME: 1}, ["title", "code"])
    chosen = RecordMaker(Faults(), FieldChoice("code"))
    (record,) = read_collection(io.BytesIO(b"PAR1"), str(path), chosen.faults, maker=chosen)
    assert (record.name, record.fields, chosen.faults.counts) == ("A1", (("title", "Tarn"),), {})
    with pytest.raises(InputError, match=r"fields: code, title\. Rename the field with the topics to id"):
        read_topics(path)


def test_ids_that_pandas_made_floats_are_whole_numbers(tmp_path: Path) -> None:
    """pandas turns a column of whole numbers with a gap into floats; runs have 301, not 301.0."""
    path = tmp_path / "topics.parquet"
    pl.DataFrame({"qid": [301.0, None, 2.5], "text": ["mill", "dam", "weir"]}).write_parquet(path)
    faults = Faults()
    with path.open("rb") as file:
        records = list(read_collection(file, str(path), faults))
    assert [record.name for record in records] == ["301", "2.5"]
    assert faults.counts == {ImportFault.NO_NAME: 1}


def test_parquet_without_names_or_damaged_is_refused(tmp_path: Path) -> None:
    with refused("parquet-unreadable", match="No column of names among caption"):
        _parquet(tmp_path, {"caption": ["x"]})
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1" + b"rubbish" * 9)
    with refused("parquet-unreadable", match="cannot be read as Parquet"):
        _read(broken.read_bytes(), str(broken))


@pytest.mark.parametrize("image", ["text", 5, [1, 2], {"bytes": 5}])
def test_image_of_a_parquet_file_that_is_no_bytes_is_unreadable(tmp_path: Path, image: object) -> None:
    ((record,), _) = _parquet(tmp_path, {"image_id": ["a"], "image": [image]})
    assert record.pictures
    with pytest.raises(ImageUnreadable, match="is not bytes"):
        record.pictures[0]()


def test_parquet_file_on_which_polars_panics_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    pl.DataFrame({"docno": ["a", "b"], "text": ["x", "y"]}).write_parquet(path)
    sound = path.read_bytes()
    dice = random.Random(1)
    for _ in range(300):
        content = bytearray(sound)
        for _ in range(3):
            content[dice.randrange(4, len(content))] = dice.choice([0, 127, 128, 255])
        path.write_bytes(content)
        with path.open("rb") as file, suppress(InputError):
            list(read_collection(file, str(path), Faults()))


def test_parquet_keeps_every_column_and_names_those_without_text(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "section_id": ["s-1", "s-2"],
        "category": [["fish", "lakes"], ["ice"]],
        "media": [["i-1"], []],
        "language": ["fr", "en"],
        "year": [1998, None],
        "score": [float("nan"), 0.5],
        "thumbnail": [b"x", b"y"],
    }
    records, faults = _parquet(tmp_path, columns)
    assert [record.fields for record in records] == [(("language", "fr"),), (("language", "en"),)]
    assert [record.left_out for record in records] == [
        (("category", "fish lakes"), ("media", "i-1"), ("year", "1998")),
        (("category", "ice"), ("score", "0.5")),
    ]
    assert faults.counts == {ImportFault.FIELD_NOT_TEXT: 2}
    assert faults.examples[ImportFault.FIELD_NOT_TEXT] == [("column thumbnail", "Binary")]
