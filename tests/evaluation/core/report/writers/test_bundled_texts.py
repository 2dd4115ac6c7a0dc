"""A bundle stores the lengths and overlaps of texts; a damaged one is refused."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from evaluation.core.report.texts import PairText
from evaluation.core.report.writers.bundle import BundleDamaged, read_bundle, write_bundle
from tests.evaluation.core.report.judged_study import DOCNOS, TOPICS, judged_study, people_grades, run_of

TEXTS = {
    (topic, docno): PairText(place + 1, place / 3) for topic in TOPICS for place, docno in enumerate(DOCNOS)
}
TEXTS["T00", "d00"] = PairText(7, None)


def _bundle(path: Path, texts: dict[tuple[str, str], PairText] | None) -> Path:
    study = judged_study()
    write_bundle(
        path,
        design=study.design,
        runs=study.runs,
        rankings=(run_of(number, people_grades()) for number in range(6)),
        sets=study.sets,
        texts=texts,
    )
    return path


def test_texts_come_back_to_the_bit(tmp_path: Path) -> None:
    found = read_bundle(_bundle(tmp_path / "bundle.zip", TEXTS)).texts
    expected = judged_study(texts=TEXTS).texts
    assert found
    assert expected
    # The pairs of both studies may be in other orders.
    for one, other in ((found.words, expected.words), (found.overlaps, expected.overlaps)):
        np.testing.assert_array_equal(np.sort(one), np.sort(other))


def test_a_bundle_without_texts_has_none(tmp_path: Path) -> None:
    assert read_bundle(_bundle(tmp_path / "bundle.zip", None)).texts is None


def test_texts_of_other_columns_are_refused(tmp_path: Path) -> None:
    path = _bundle(tmp_path / "bundle.zip", TEXTS)
    wrong = b"topic\tdocno\twords\toverlap\nT1\td1\tmany\t0.5\n"
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files["manifest.json"])
    manifest["files"]["texts.tsv"] = hashlib.sha256(wrong).hexdigest()
    files |= {"texts.tsv": wrong, "manifest.json": json.dumps(manifest).encode()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    with pytest.raises(BundleDamaged, match=r"texts\.tsv in the bundle has lines that are not four columns"):
        read_bundle(path)
