"""`trackside import`: upload, trial, verdict and confirmation, over a faulty connection."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.models import Document, Import, ImportState, Scope, Task, Topic
from tests.factories import make_organizer, make_task
from tests.trackside.cli.remote.breaking_line import BreakingLine, Fault
from tests.trackside.cli.remote.conftest import SignIn
from trackside.cli.main import main
from trackside.cli.remote import tasks

GOOD = b'{"id": "T1", "title": "Tarn"}\n{"id": "T2", "title": "Fjord"}\n'
FAULTY = b"id,title\nT1,Tarn\nT 2,x\nT\x1b3 3,x\n"


@pytest.fixture
def task(transactional_db: None) -> Task:
    return make_task()


@pytest.fixture
def name(task: Task, sign_in: SignIn) -> str:
    """TRACK/TASK, for an organizer who is signed in."""
    sign_in(make_organizer(task.track), Scope.ORGANIZE)
    return f"{task.track.slug}/{task.slug}"


def write(folder: Path, content: bytes, name: str = "topics.jsonl") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def test_upload_over_a_faulty_connection_makes_one_import(
    name: str, task: Task, line: BreakingLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """First the upload is cut, then its answer is lost, then the import is found."""
    line.faults += [Fault.BREAKS_OFF, Fault.ANSWER_IS_LOST]
    file = write(tmp_path, GOOD)
    assert main(["import", "topics", file, "--task", name, "--check"]) == 0
    assert line.answers == ["400", "201", "201"]
    made = Import.objects.get()
    assert (made.upload.read(), made.state) == (GOOD, ImportState.TRIED)
    shown = capsys.readouterr()
    assert shown.out == (
        "Can be imported: topics.jsonl. Nothing is stored yet.\n"
        "\n"
        "  To add       2\n"
        "  To change    0\n"
        "  Unchanged    0\n"
        "  Refused      0\n"
    )
    assert f"Import {made.pk} is uploaded: {line.url}/tracks/" in shown.err
    assert not Topic.objects.filter(task=task).exists()


def test_topics_are_imported_as_drafts(
    name: str, task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, b"T1,Tarn\n", "topics.csv")
    assert main(["import", "topics", file, "--task", name, "--draft", "--columns", "id title"]) == 0
    assert capsys.readouterr().out.startswith("Imported: topics.csv\n\n  Added        1\n")
    topic = Topic.objects.get(task=task)
    assert (topic.number, topic.state, topic.fields) == ("T1", "draft", [["title", "Tarn"]])


def test_documents_are_imported_although_the_answer_to_the_confirmation_is_lost(
    name: str, task: Task, line: BreakingLine, tmp_path: Path
) -> None:
    file = write(tmp_path, b"D1\nD2\n", "docnos.txt")
    line.faults += [None, Fault.ANSWER_IS_LOST]
    assert main(["import", "docnos", file, "--task", name]) == 0
    assert line.answers == ["201", "200", "200"]
    assert Document.objects.filter(collection=task.collection).count() == 2
    file = write(tmp_path, b'{"id": "D1", "caption": "Tarn"}\n', "captions.jsonl")
    assert main(["import", "documents", file, "--task", name]) == 0
    assert Document.objects.get(collection=task.collection, docno="D1").fields == [["caption", "Tarn"]]


def test_roles_of_fields_are_chosen_with_the_import(
    name: str, task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "import",
        "topics",
        write(tmp_path, b'{"id": "T1", "label": "Tarn", "more": "x"}\n'),
        "--task",
        name,
    ]
    assert main(command) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("Not imported: topics.jsonl, 1 field to decide about and 1 kind of fault.")
    assert "  Not known    more: name each by --text or --leave-out\n" in shown
    assert main([*command, "--role", "title=label", "--role", "context=more"]) == 0
    assert ChosenFields.objects.topic_roles(task.pk) == {"title": "label", "context": "more"}
    for wrong in ("name=label", "title"):
        assert main([*command, "--role", wrong]) == 2
        assert f"--role {wrong}: write one of title, description" in capsys.readouterr().err


def test_faults_are_named_and_nothing_is_stored(
    name: str, task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, FAULTY, "topics.csv")
    assert main(["import", "topics", file, "--task", name]) == 1
    assert capsys.readouterr().out == (
        "Not imported: topics.csv, 1 kind of fault to fix. Nothing is stored.\n"
        "\n"
        "Name is not one word (2 records, left out)\n"
        "  line 3  T 2\n"
        "  line 4  T\\x1b3 3\n"
        "  To fix: Run files use the name: remove the blanks.\n"
        "\n"
        "  To add       1\n"
        "  To change    0\n"
        "  Unchanged    0\n"
        "  Refused      2\n"
    )
    assert not Topic.objects.filter(task=task).exists()
    assert main(["import", "topics", file, "--task", name, "--skip-faulty"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Imported: topics.csv, with 1 kind of fault\n\nName is not one word")
    assert Topic.objects.get(task=task).number == "T1"


def test_json_is_the_import(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, FAULTY, "topics.csv")
    assert main(["import", "topics", file, "--task", name, "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["faults"]) == ("tried", Import.objects.get().faults)


def test_file_that_cannot_be_read_is_told(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, b"no header", "bad.csv")
    assert main(["import", "topics", file, "--task", name]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("Not imported: bad.csv. Nothing is stored.\n\n  ")
    assert Import.objects.get().error in shown


def test_import_that_stops_or_stays_is_named_with_its_page(
    name: str, line: BreakingLine, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_, **__: None)
    monkeypatch.setattr(tasks, "PATIENCE", 0)
    monkeypatch.setattr(tasks, "PAUSES", (0.01,))
    file = write(tmp_path, GOOD)
    assert main(["import", "topics", file, "--task", name]) == 2
    told = capsys.readouterr().err
    assert "no worker has made progress" in told
    assert f"{line.url}{'/tracks/'}" in told

    def park(*_: object, **__: object) -> None:
        Import.objects.update(parked_at="2026-01-01T00:00Z", attempt_count=3, trouble="Its worker died.")

    monkeypatch.setattr("celery.Celery.send_task", park)
    assert main(["import", "topics", file, "--task", name]) == 2
    assert "Stopped after 3 attempts. Its worker died." in capsys.readouterr().err


def test_what_cannot_be_sent_is_refused_before_the_upload(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    assert main(["import", "topics", str(tmp_path / "none"), "--task", name]) == 2
    assert "no such file. Check the path." in capsys.readouterr().err
    settings.MAX_IMPORT_BYTES = 10
    file = write(tmp_path, GOOD)
    assert main(["import", "topics", file, "--task", name]) == 2
    assert "the site accepts at most 10. Split it." in capsys.readouterr().err
    for kind, option in (("documents", "--draft"), ("docnos", "--columns=id")):
        assert main(["import", kind, file, "--task", name, option]) == 2
        assert f"is not for {kind}" in capsys.readouterr().err
    assert not Import.objects.exists()


def test_only_organizers_import(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = make_task()
    file = write(tmp_path, GOOD)
    assert main(["import", "topics", file, "--task", f"{other.track.slug}/{other.slug}"]) == 2
    assert "It does not exist, or this token may not see it." in capsys.readouterr().err
