"""The metadata of a bundle, as the reference implementation of Croissant reads it."""

import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evaluation.models import QrelsKind, Task, Track
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.packing import bundle_report
from tests.factories import make_qrels

pytestmark = [pytest.mark.django_db, pytest.mark.whole]  # the import takes seconds


def decoded(record: dict[str, Any], name: str) -> dict[str, Any]:
    texts = {field.removeprefix(f"{name}/"): value for field, value in record.items()}
    return {field: value.decode() if isinstance(value, bytes) else value for field, value in texts.items()}


def test_mlcroissant_reads_licence_citation_and_the_records_of_qrels_and_runs(
    running: Task, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the packages that it imports
        mlc = pytest.importorskip("mlcroissant")
    Track.objects.update(licence="https://creativecommons.org/licenses/by/4.0/", citation="Tarn et al., 2026")
    names = {("T1", "007"): 2, ("T2", "D2"): 1}
    make_qrels(running, name="second", kind=QrelsKind.SECOND, grades=dict(names))
    report = compute_report(task=running)
    assert report
    with (tmp_path / "bundle.zip").open("wb") as target:
        bundle_report(report=report, target=target)
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        archive.extractall(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        dataset = mlc.Dataset(jsonld=tmp_path / "croissant.json")
        assert not dataset.metadata.issues.errors
        metadata = dataset.metadata
        assert metadata.license == ["https://creativecommons.org/licenses/by/4.0/"]
        assert metadata.cite_as == "Tarn et al., 2026"
        sets = {each.id for each in metadata.record_sets}
        assert sets == {"topics", "qrels/0", "qrels/1", "qrels/2", "runs/a", "runs/b", "runs/c"}
        qrels = [decoded(record, "qrels/1") for record in dataset.records("qrels/1")]
        topics = [decoded(record, "topics") for record in dataset.records("topics")]
        run = [decoded(record, "runs/a") for record in dataset.records("runs/a")]
    assert qrels == [
        {"topic": "T1", "docno": "007", "grade": 2},
        {"topic": "T2", "docno": "D2", "grade": 1},
    ]
    assert topics == [
        {"topic": name, "text": f"page_title: Page of {name}\nsection_title: Section of {name}"}
        for name in ("T1", "T2")
    ]
    assert run[0] == {"topic": "T1", "docno": "D1", "rank": 1, "score": run[0]["score"], "tag": "a"}
    assert [(row["topic"], row["docno"], row["rank"]) for row in run[1:]] == [
        ("T1", "D2", 2),
        ("T2", "D1", 1),
        ("T2", "D2", 2),
    ]
    assert [row["score"] for row in run] == sorted((row["score"] for row in run[:2]), reverse=True) * 2
