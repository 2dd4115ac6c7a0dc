"""A report's bundle: its files, and that the stored report's tables are computed from it byte for byte."""

import json
import zipfile
from pathlib import Path

import pytest

from evaluation.models import ImportKind, Phase, QrelsKind, Report, Topic
from evaluation.organizing.imports.actions import set_chosen_fields
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.packing import bundle_report
from tests.factories import make_family, make_image, make_qrels, make_run, make_task
from trackside.cli.main import main
from trackside.imports.fields import FieldChoice
from trackside.reporting.build import build_report
from trackside.reporting.design import Choice
from trackside.reporting.writers.bundle import read_bundle
from trackside.reporting.writers.stored import from_json
from trackside.reporting.writers.tables import csv_text

pytestmark = pytest.mark.django_db

PAIRS = [(f"T{topic}", f"D{number}") for topic in (1, 2, 3) for number in (1, 2, 3)]
PEOPLE = {pair: place % 3 for place, pair in enumerate(PAIRS)}
SCORES = {pair: 0.1 * place + 1 / 3 for place, pair in enumerate(PAIRS)}


@pytest.fixture
def report() -> Report:
    task = make_task(phase=Phase.JUDGING, topic_count=3, document_count=3)
    Topic.objects.filter(task=task, number="T2").update(image=make_image(), more_images=[make_image().pk])
    for tag, order in (("a", "D1 D2 D3"), ("b", "D3 D2 D1"), ("c", "D2 D3")):
        make_run(task, tag=tag, results={f"T{topic}": order.split() for topic in (1, 2, 3)})
    task.runs.get(tag="a").families.add(make_family(task, name="CLIP-based"))
    make_qrels(task, name="people", grades=dict(PEOPLE))
    model: dict[tuple[str, str], int | None] = {pair: int(score > 0.7) for pair, score in SCORES.items()}
    prompt = {"prompt": "Rate this from 0 to 2."}
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=model, raw_scores=SCORES, provenance=prompt)
    found = compute_report(task=task)
    assert found is not None
    return found


def test_bundle_gives_the_tables_of_the_stored_report_by_the_byte(report: Report, tmp_path: Path) -> None:
    with (tmp_path / "bundle.zip").open("wb") as target:
        bundle_report(report=report, target=target)
    again = build_report(read_bundle(tmp_path / "bundle.zip"), code_version=report.code_version)
    stored = from_json(report.stored)
    assert [csv_text(table) for table in again.tables()] == [csv_text(table) for table in stored.tables()]
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        contents = [archive.read(f"topics/T2{number}.webp") for number in ("", "+2")]
        listed = {topic["topic"]: topic.get("image") for topic in json.loads(archive.read("topics.json"))}
    assert listed == {"T1": None, "T2": ["topics/T2.webp", "topics/T2+2.webp"], "T3": None}
    images = Topic.objects.get(task=report.task, number="T2").images
    assert contents == [image.original.read() for image in images], "pictures are as imported"


def test_bundle_has_metadata_and_checksums_beside(report: Report, tmp_path: Path) -> None:
    with (tmp_path / "bundle.zip").open("wb") as target:
        bundle_report(report=report, target=target)
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        names = set(archive.namelist())
        assert {"manifest.json", "croissant.json", "methods.txt", "provenance/1.json"} <= names
        assert {"runs/a.run.gz", "ir_metadata/a.yaml", "qrels/0.qrels", "raw-scores/1.tsv"} <= names
        assert {"tables/order.csv", "findings.json"} <= names
        lines = archive.read("checksums.sha256").decode().splitlines()
        sums = {path: digest for digest, path in (line.split("  ") for line in lines)}
        assert set(sums) == names - {"manifest.json", "checksums.sha256"}
        files = json.loads(archive.read("croissant.json"))["distribution"]
        assert {each["contentUrl"]: each["sha256"] for each in files} == {
            path: digest for path, digest in sums.items() if path != "croissant.json"
        }
        assert archive.read("prompts/1.txt") == b"Rate this from 0 to 2."


def test_topics_of_a_bundle_have_the_texts_with_a_role(report: Report, tmp_path: Path) -> None:
    plain = {"topic": "T1", "text": "page_title: Page of T1\nsection_title: Section of T1"}
    assert _topics(report, tmp_path)[0] == plain
    choice = FieldChoice(roles={"title": "section_title", "context": "absent"}).to_json()
    set_chosen_fields(report.task, ImportKind.TOPICS, choice)
    assert _topics(report, tmp_path)[0] == plain | {"title": "Section of T1"}


def _topics(report: Report, folder: Path) -> list[dict[str, str]]:
    with (folder / "bundle.zip").open("wb") as target:
        bundle_report(report=report, target=target)
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        topics: list[dict[str, str]] = json.loads(archive.read("topics.json"))
    return topics


def test_bundle_of_topics_that_a_judge_never_graded_is_read_by_the_command(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = {pair: grade for pair, grade in PEOPLE.items() if pair[0] == "T1"}
    make_qrels(report.task, name="early", kind=QrelsKind.SECOND, grades=first)
    chosen = compute_report(task=report.task, choice=Choice(topics=("T2", "T3")))
    assert chosen is not None
    with (tmp_path / "bundle.zip").open("wb") as target:
        bundle_report(report=chosen, target=target)
    assert main(["report", str(tmp_path / "bundle.zip"), "--section", "methods", "--format", "csv"]) == 0
    rows = [row.split(",") for row in capsys.readouterr().out.splitlines()]
    graded = [(row[0], row[4]) for row in rows if row[2:3] and row[2] in ("human", "second", "model")]
    assert graded == [("people", "6"), ("early", "0"), ("clip", "6")]
