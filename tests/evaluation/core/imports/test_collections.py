from __future__ import annotations

import io
import random
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import polars as pl
import pytest

from evaluation.core.errors import InputError
from evaluation.core.images import ImageUnreadable
from evaluation.core.imports.collections import NoCaptions, ParquetUnreadable, read_collection
from evaluation.core.imports.faults import Faults, ImportFault

if TYPE_CHECKING:
    from pathlib import Path

    from evaluation.core.imports.records import Record


def _zip(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return packed.getvalue()


def _read(content: bytes, path: str = "") -> tuple[list[Record], Faults]:
    faults = Faults()
    return list(read_collection(io.BytesIO(content), path, faults)), faults


def test_a_folder_s_captions_find_their_images_by_name_or_docno() -> None:
    captions = b'{"docno": "a", "caption": "A"}\n{"docno": "b", "caption": "B", "image": "images/x.png"}\n'
    captions += b'{"docno": "c", "caption": "C"}\n{"docno": "d", "caption": "D", "image": "gone.png"}\n'
    records, faults = _read(
        _zip(captions_jsonl=captions, images__a_jpg=b"of a", images__x_png=b"of b", images__y_webp=b"of none")
    )
    found = [(each.name, each.fields, each.picture and each.picture()) for each in records]
    assert found == [
        ("a", (("caption", "A"),), b"of a"),
        ("b", (("caption", "B"),), b"of b"),
        ("c", (("caption", "C"),), None),
        ("d", (("caption", "D"),), None),
    ]
    assert faults.examples == {
        ImportFault.IMAGE_MISSING: [("captions.jsonl, line 4", "gone.png")],
        ImportFault.IMAGE_UNUSED: [("images/y.webp", "")],
    }


def test_a_folder_without_captions_is_a_document_an_image() -> None:
    records, _ = _read(_zip(images__a_jpg=b"1", readme_txt=b"x"))
    assert [(each.name, each.fields, each.picture and each.picture()) for each in records] == [
        ("a", (), b"1")
    ]


def test_a_folder_with_neither_is_refused() -> None:
    with pytest.raises(NoCaptions):
        _read(_zip(readme_txt=b"x"))


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
    assert [(each.name, each.fields, each.picture and each.picture()) for each in records] == [
        (
            "i-1",
            (
                ("caption_reference_description", "A tarn"),
                ("caption_alt_text_description", "ice"),
                ("caption_attribution_description", "English: a photo"),
            ),
            b"webp",
        ),
        ("i-2", (("caption_reference_description", "Ein Fjord"),), None),
    ]
    assert faults.counts == {}


def test_atomic_s_images_may_be_plain_bytes(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"image_id": ["i"], "image": [b"webp"], "caption": ["A tarn"]}
    ((record,), _) = _parquet(tmp_path, columns)
    assert record.picture is not None
    assert (record.picture(), record.fields) == (b"webp", (("caption", "A tarn"),))


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
    monkeypatch.setattr("evaluation.core.imports.collections.ROWS", 2)
    records, _ = _parquet(tmp_path, {"docno": ["a", "b", "c"], "text": ["x", "y", "z"]})
    assert [(record.name, record.place) for record in records] == [
        ("a", "row 1"),
        ("b", "row 2"),
        ("c", "row 3"),
    ]


def test_parquet_without_names_or_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParquetUnreadable, match="No column of names among caption"):
        _parquet(tmp_path, {"caption": ["x"]})
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1" + b"rubbish" * 9)
    with pytest.raises(ParquetUnreadable, match="cannot be read as Parquet"):
        _read(broken.read_bytes(), str(broken))


@pytest.mark.parametrize("image", ["text", 5, [1, 2], {"bytes": 5}])
def test_image_of_a_parquet_file_that_is_no_bytes_is_unreadable(tmp_path: Path, image: object) -> None:
    ((record,), _) = _parquet(tmp_path, {"image_id": ["a"], "image": [image]})
    assert record.picture
    with pytest.raises(ImageUnreadable, match="is not bytes"):
        record.picture()


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
