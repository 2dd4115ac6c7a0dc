"""`trackside call`, and the commands that call one operation each."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from evaluation.models import Collection, Phase, Task
from tests.factories import (
    make_document,
    make_image,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
)
from tests.trackside.cli.remote.breaking_line import BreakingLine, Fault
from tests.trackside.cli.remote.conftest import SignIn
from trackside.cli.main import main


@pytest.fixture
def task(transactional_db: None) -> Task:
    return make_task(phase=Phase.JUDGING, topic_count=1, document_count=2)


@pytest.fixture(autouse=True)
def _signed_in(task: Task, sign_in: SignIn) -> None:
    sign_in(make_organizer(task.track))


def said(capsys: pytest.CaptureFixture[str], status: int, *words: str) -> str:
    """What the command prints; it ends with this status."""
    assert main(words) == status
    shown = capsys.readouterr()
    return shown.out if status < 2 else shown.err


def test_operations_are_listed_and_described(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    listed = said(capsys, 0, "call").splitlines()
    assert "job_pause" in {line.split()[0] for line in listed}
    assert "documents_zip" not in {line.split()[0] for line in listed}
    about = said(capsys, 0, "start-job")
    assert about.startswith("Let a judge grade a pool")
    assert "Name TRACK/TASK, then" in about
    assert "  judge  " in about
    assert said(capsys, 2, "call", "job_stop").startswith(
        "trackside call: the site has no operation 'job_stop'."
    )
    wrong = said(capsys, 2, "call", "job_pause", task.track.slug)
    assert "name TRACK/TASK/JOB, then NAME=VALUE" in wrong


def test_pool_is_frozen_once_the_worker_has_ended(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(task)
    name = f"{task.track.slug}/{task.slug}"
    shown = said(capsys, 0, "freeze-pool", name, "name=main", "seed=7")
    assert shown.startswith("Freeze a pool, done: Pool main is frozen: 2 items.")
    (pool,) = json.loads(said(capsys, 0, "call", "pool_list", name))
    assert (pool["name"], pool["seed"]) == ("main", 7)
    assert "has a pool main already" in said(capsys, 2, "freeze-pool", name, "name=main")
    shown = said(capsys, 1, "publish-people", name)
    assert shown.startswith("Publish people's qrels, refused: ")
    assert "no row is named so" in said(capsys, 2, "start-job", name, "judge=clip", "pool=main")


def test_request_whose_answer_is_lost_is_done_once(
    task: Task, line: BreakingLine, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(task)
    line.faults += [Fault.ANSWER_IS_LOST]
    words = ("call", "run_note", f"{task.track.slug}/{task.slug}/{run.pk}", "text=Please check the tag.")
    assert said(capsys, 0, *words) == "Done; the site's first answer was lost.\n"
    assert run.notes.count() == 1


def test_file_is_sent_and_words_are_printed(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "map.webp").write_bytes(make_image().original.read())
    name = f"{task.track.slug}/{task.slug}"
    words = ("call", "picture_add", name, "name=map", f"picture={tmp_path / 'map.webp'}")
    assert said(capsys, 0, *words) == "The picture map is added.\n"
    assert said(capsys, 0, "call", "picture_remove", name, "name=map") == "The picture map is removed.\n"


def test_documents_and_topics_are_downloaded_with_pictures(
    task: Task, tmp_path: Path, capsys: pytest.CaptureFixture[str], sign_in: SignIn
) -> None:
    sign_in(make_team_member(make_team(task.track)))
    image = make_image()
    make_topic(task, number="T2", image=image)
    make_document(task.collection, docno="D3", image=image)
    words = ("--task", f"{task.track.slug}/{task.slug}", "--out", str(tmp_path))
    assert "not shared. Ask the organizers" in said(capsys, 2, "download", "documents", *words)
    Collection.objects.update(address="https://example.org/photos")
    assert "are at https://example.org/photos." in said(capsys, 2, "download", "documents", *words)
    Collection.objects.update(is_shared=True)
    for what in ("docnos", "documents", "topics"):
        said(capsys, 0, "download", what, *words)
    assert (tmp_path / "docnos.txt").read_text() == "D1\nD2\nD3\n"
    assert len((tmp_path / "documents.jsonl").read_text().splitlines()) == 3
    for name, picture in (("documents-1.zip", "D3.webp"), ("topics.zip", "T2.webp")):
        with zipfile.ZipFile(io.BytesIO((tmp_path / name).read_bytes())) as archive:
            assert archive.read(picture) == image.original.read()
