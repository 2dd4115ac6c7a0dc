"""Zip archives: every member is a record, a part of one, or a fault."""

import gzip
import io
import json
import zipfile

import polars as pl
import pytest

from tests.refusals import refused
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.readers import read_collection
from trackside.imports.records import Record


def _zip_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _read(content: bytes) -> tuple[list[Record], Faults]:
    faults = Faults()
    return list(read_collection(io.BytesIO(content), "", faults)), faults


def _contents(records: list[Record]) -> list[tuple[str, dict[str, str], bytes | None]]:
    return [(each.name, dict(each.fields), each.pictures[0]() if each.pictures else None) for each in records]


def test_a_folder_s_captions_find_their_images_by_name_or_docno() -> None:
    captions = b'{"docno": "a", "caption": "A"}\n{"docno": "b", "caption": "B", "image": "images/x.png"}\n'
    captions += b'{"docno": "c", "caption": "C"}\n{"docno": "d", "caption": "D", "image": "gone.png"}\n'
    images = {"images/a.jpg": b"of a", "images/x.png": b"of b", "images/y.webp": b"of none"}
    records, faults = _read(_zip_of({"captions.jsonl": captions, **images}))
    assert _contents(records) == [
        ("a", {"caption": "A"}, b"of a"),
        ("b", {"caption": "B"}, b"of b"),
        ("c", {"caption": "C"}, None),
        ("d", {"caption": "D"}, None),
    ]
    assert faults.examples == {
        ImportFault.IMAGE_MISSING: [("captions.jsonl, line 4", "gone.png")],
        ImportFault.IMAGE_UNUSED: [("images/y.webp", "")],
    }


def test_a_folder_without_captions_is_a_document_an_image() -> None:
    records, _ = _read(_zip_of({"images/a.jpg": b"1", "readme.txt": b"x"}))
    assert _contents(records) == [("a", {}, b"1")]


def test_a_folder_with_neither_is_refused() -> None:
    with refused("no-captions"):
        _read(_zip_of({"readme.txt": b"x"}))


def parquet_of(**columns: list[str]) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


CAPTIONS = {
    "metadata.csv": b"file_name,text\na.jpg,a mill\nb.jpg,a dam\n",
    "metadata.jsonl": b'{"file_name": "a.jpg", "text": "a mill"}\n{"file_name": "b.jpg", "text": "a dam"}\n',
    "metadata.semicolons.csv": b"file_name;text\na.jpg;a mill\nb.jpg;a dam\n",
    "flickr8k.tsv": b"image\ttext\na.jpg#0\ta mill\nb.jpg#0\ta dam\n",
    "captions.tsv": b"id\ttext\na\ta mill\nb\ta dam\n",
    "captions.txt": b"image,text\na.jpg,a mill\nb.jpg,a dam\n",
    "captions.jsonl.gz": gzip.compress(b'{"id": "a", "text": "a mill"}\n{"id": "b", "text": "a dam"}\n'),
    "captions.bom.json": b'\xef\xbb\xbf[{"key": "a", "text": "a mill"}, {"key": "b", "text": "a dam"}]',
    "metadata.parquet": parquet_of(file_name=["a.jpg", "b.jpg"], text=["a mill", "a dam"]),
    "captions.json": b'[{"image_id": "a", "text": "a mill"}, {"image_id": "b", "text": "a dam"}]',
    "captions.xml": b"<docs><doc id='a'><text>a mill</text></doc><doc id='b'><text>a dam</text></doc></docs>",
}


@pytest.mark.parametrize("folder", ["", "train/"])
@pytest.mark.parametrize("name", CAPTIONS)
def test_captions_of_every_common_layout_meet_their_images(name: str, folder: str) -> None:
    files = {f"{folder}{name}": CAPTIONS[name], f"{folder}a.jpg": b"A", f"{folder}b.jpg": b"B"}
    records, faults = _read(_zip_of(files))
    assert _contents(records) == [("a", {"text": "a mill"}, b"A"), ("b", {"text": "a dam"}, b"B")]
    assert faults.counts == {}


def test_successive_captions_of_one_image_are_its_captions() -> None:
    """The form of Flickr8k and Flickr30k: a row a caption. Rows with an id of their own stay records."""
    rows = b"image,comment_number,source,caption\na.jpg,0,f,a mill\na.jpg,1,f,an old mill\nb.jpg,0,f,a dam\n"
    records, faults = _read(_zip_of({"captions.txt": rows, "Images/a.jpg": b"A", "Images/b.jpg": b"B"}))
    assert _contents(records) == [
        (
            "a",
            {"caption 1": "a mill", "caption 2": "an old mill"},
            b"A",
        ),
        ("b", {"caption": "a dam"}, b"B"),
    ]
    assert records[0].left_out == (("comment_number 1", "0"), ("comment_number 2", "1"), ("source", "f"))
    assert faults.counts == {}
    sections = b"id,image,text\ns1,a.jpg,a mill\ns2,a.jpg,a dam\n"
    assert [record.name for record in _read(_zip_of({"s.csv": sections, "a.jpg": b"A"}))[0]] == ["s1", "s2"]


def test_coco_s_captions_meet_their_images() -> None:
    """The form of cocodataset.org, with two captions of one image and one of no image."""
    coco = {
        "info": {"year": 2026},
        "images": [{"id": 1, "file_name": "a.jpg", "width": 640}, {"id": 2, "file_name": "b.jpg"}],
        "annotations": [
            {"id": 5, "image_id": 1, "caption": "a mill"},
            {"id": 6, "image_id": 1, "caption": "an old mill"},
            {"id": 7, "image_id": 2, "caption": "a dam"},
            {"id": 8, "image_id": 3, "caption": "a lock"},
        ],
    }
    files = {"annotations/val.json": json.dumps(coco).encode(), "val/a.jpg": b"A", "val/b.jpg": b"B"}
    records, faults = _read(_zip_of(files))
    assert _contents(records) == [
        ("a", {"caption 1": "a mill", "caption 2": "an old mill"}, b"A"),
        ("b", {"caption": "a dam"}, b"B"),
    ]
    assert ("image@width", "640") in records[0].left_out
    (lock, info) = faults.examples[ImportFault.NO_RECORD]
    assert (lock[0], "a lock" in lock[1]) == ("annotations, element 4", True)
    assert info == ("annotations/val.json", "info: {'year': '2026'}")


def test_coco_s_captions_of_an_unclear_image_are_faults() -> None:
    coco = {
        "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 1, "file_name": "b.jpg"}, {"file_name": "c.jpg"}],
        "annotations": [{"image_id": 1, "caption": "a mill"}, {"caption": "a dam"}],
    }
    records, faults = _read(json.dumps(coco).encode())
    assert _contents(records) == [("a", {}, None), ("b", {}, None), ("c", {}, None)]
    assert faults.counts == {ImportFault.NO_RECORD: 2}


def test_texts_beside_an_image_are_its_captions() -> None:
    """The layout of img2dataset and of trainers of models: a.jpg, a.txt, a.json."""
    files = {
        "0/a.jpg": b"A",
        "0/a.txt": b"\xef\xbb\xbfa mill\n",
        "0/a.json": b'{"key": "000", "width": 640, "caption": "an old mill"}',
        "0/b.jpg": b"B",
        "0/b.txt": b"\xff",
    }
    records, faults = _read(_zip_of(files))
    assert _contents(records) == [
        ("000", {"caption 1": "a mill", "caption 2": "an old mill"}, b"A"),
        ("b", {}, b"B"),
    ]
    assert [place for place, _ in faults.examples[ImportFault.FILE_NOT_READ]] == ["0/b.txt"]


def test_every_other_member_is_a_fault() -> None:
    files = {
        "a.png": b"A",
        "b.gif": b"GIF89a",
        "c.TIFF": b"II",
        "d.bmp": b"BM",
        "README.md": b"about",
        "info.json": b'{"name": "mills", "default": {"rows": 3}}',
        "notes.txt": b"just words",
        "part.arrow": b"ARROW1",
    }
    records, faults = _read(_zip_of(files))
    assert _contents(records) == [("a", {}, b"A")]
    named = {kind: [place for place, _ in examples] for kind, examples in faults.examples.items()}
    assert named == {
        ImportFault.IMAGE_FORMAT: ["b.gif", "c.TIFF", "d.bmp"],
        ImportFault.FILE_NOT_READ: ["README.md", "part.arrow", "info.json", "notes.txt"],
    }


def test_two_images_of_one_name_are_a_fault_unless_their_paths_are_named() -> None:
    files = {"x/a.jpg": b"1", "y/a.jpg": b"2", "b.png": b"3"}
    records, faults = _read(_zip_of(files))
    assert ([record.name for record in records], faults.counts) == (["b"], {ImportFault.IMAGE_TWICE: 2})
    lines = b'{"id": "n", "image": "a.jpg"}\n{"id": "p", "image": "y/a.jpg"}\n{"id": "b", "text": "dam"}\n'
    records, faults = _read(_zip_of(files | {"captions.jsonl": lines}))
    assert _contents(records) == [("p", {}, b"2"), ("b", {"text": "dam"}, b"3")]
    assert faults.examples[ImportFault.IMAGE_TWICE] == [("captions.jsonl, line 1", "x/a.jpg, y/a.jpg")]
    assert [place for place, _ in faults.examples[ImportFault.IMAGE_UNUSED]] == ["x/a.jpg"]


def test_metadata_of_several_folders_names_the_images_of_its_own_folder() -> None:
    rows = b"file_name,id,text\na.jpg,%s,mill\n"
    files = {
        "train/metadata.csv": rows % b"t",
        "train/a.jpg": b"T",
        "test/metadata.csv": rows % b"u",
        "test/a.jpg": b"U",
    }
    records, faults = _read(_zip_of(files))
    assert _contents(records) == [("t", {"text": "mill"}, b"T"), ("u", {"text": "mill"}, b"U")]
    assert faults.counts == {}
