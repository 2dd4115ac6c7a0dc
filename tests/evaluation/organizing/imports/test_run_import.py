"""Imports of runs and qrels, and the end of every import: with a reason, as a record, by its requester."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models.functions import Now
from django.test import Client

from evaluation.models import (
    Archiving,
    Import,
    ImportKind,
    ImportState,
    Qrels,
    Run,
    Task,
    Topic,
)
from evaluation.organizing.imports.actions import ImportNotTried, confirm_import, receive_import, run_import
from evaluation.organizing.imports.adding_qrels import import_qrels
from evaluation.organizing.imports.reading import MOST_RUNS, note_progress
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.organizing.setup.actions import all_guards
from evaluation.submissions.pools.actions import build_pool, unpooled_runs
from evaluation.tracks.panels import open_actions
from evaluation.tracks.work.models import LOST_AFTER
from evaluation.tracks.work.queueing import claim_work, end_work
from tests.evaluation.organizing.imports.importing import add_import, codes_of, run_queued, try_import, zip_of
from tests.factories import make_organizer, make_run, make_task, make_team, make_user
from tests.refusals import refused
from trackside.imports.faults import Faults

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


@pytest.mark.whole
def test_baselines_are_uploads_of_their_team_each_with_a_verdict() -> None:
    task = make_task(topic_count=1, document_count=2)
    team = make_team(task.track, is_baseline=True)
    files = {
        "bm25.run": b"T1 Q0 D1 1 2 bm25\n",
        "twin.run": b"T1 Q0 D2 1 2 bm25\n",
        "bad.run": b"T1 Q0 D9 1 2 bad\n",
    }
    tried = try_import(task, ImportKind.RUNS, zip_of(files), team)
    assert (tried.counts, Run.objects.count()) == ({"added": 1, "changed": 0, "same": 0, "refused": 2}, 0)
    assert codes_of(tried) == {"tag_twice": 1, "run_rejected": 1}
    done = add_import(
        try_import(task, ImportKind.RUNS, zip_of({**files, "twin.run": b"T1 Q0 D2 1 2 dense\n"}), team)
    )
    assert done.counts == {"added": 2, "changed": 0, "same": 0, "refused": 1}
    assert codes_of(done) == {"run_rejected": 1}
    assert sorted(Run.objects.accepted().values_list("tag", "team")) == [
        ("bm25", team.pk),
        ("dense", team.pk),
    ]
    again = try_import(task, ImportKind.RUNS, zip_of({"bm25.run": files["bm25.run"]}), team)
    assert again.counts == {"added": 0, "changed": 0, "same": 1, "refused": 0}


def test_refused_baselines_are_named_by_their_files_with_what_is_wrong() -> None:
    task = make_task(topic_count=1, document_count=2)
    files = {
        "a.run": b"T1 Q0 D1 1 2 bm25\n",
        "b.run": b"T1 Q0 D2 1 2 bm25\n",
        "c.run": b"T1 Q0 D1 1 nan bad\n",
    }
    tried = try_import(task, ImportKind.RUNS, zip_of(files), make_team(task.track, is_baseline=True))
    told = {each["place"]: each["value"] for fault in tried.faults for each in fault["examples"]}
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 2}
    assert codes_of(tried) == {"tag_twice": 1, "run_rejected": 1}
    assert sorted(told) == ["b.run", "c.run"]
    assert "a.run" in told["b.run"]
    assert "Score is not a finite number (1 line in 1 topic)" in told["c.run"]


def test_archive_of_very_many_runs_is_refused() -> None:
    task = make_task(topic_count=1)
    team = make_team(task.track, is_baseline=True)
    tried = try_import(task, ImportKind.RUNS, zip_of({f"{n}.run": b"" for n in range(MOST_RUNS + 1)}), team)
    assert tried.state == ImportState.FAILED
    assert "The archive has 1,001 files; the limit is 1,000." in tried.error


def test_progress_renews_the_claim() -> None:
    """Each file of runs locks the import's row, so the heartbeat may never find it free."""
    queued = receive_import(
        task=make_task(), kind=ImportKind.TOPICS, file=ContentFile(b"x", "x"), by=make_user()
    )
    row = claim_work(Import, worker="a")
    assert row == queued
    assert row
    row.as_claimed().update(seen_at=Now() - 2 * LOST_AFTER)
    assert list(note_progress([1], task_import=row)) == [1]
    assert not Import.rows().lost().exists()
    row.refresh_from_db()
    assert row.seen_count == 1


def test_qrels_are_published_with_their_file_as_provenance() -> None:
    task = make_task(topic_count=1, document_count=2)
    content = b"T1 0 D1 2\nT1 0 D2 -1\nT1 0 D7 0\nT9 0 D1 1\n"
    tried = try_import(task, ImportKind.QRELS, content, name="nist", kind="human", source="TREC 2024")
    assert (tried.counts, Qrels.objects.count()) == ({"added": 3, "changed": 0, "same": 0, "refused": 1}, 0)
    assert codes_of(tried) == {"topic_unknown": 1, "docno_unknown": 1}
    examples = {fault["code"]: fault["examples"] for fault in tried.faults}
    assert examples["docno_unknown"] == [{"place": "docno", "value": "D7"}]
    add_import(tried)
    qrels = Qrels.objects.get()
    assert (qrels.name, qrels.kind, qrels.graded_count, qrels.pair_count) == ("nist", "human", 2, 3)
    assert qrels.provenance["file_sha256"] == tried.upload_id
    assert qrels.provenance["source"] == "TREC 2024"
    assert qrels.created_by == tried.received_by


@pytest.mark.parametrize("docnos_per_query", [1, 10_000])
def test_unknown_docnos_of_qrels_name_those_that_were_probably_meant(
    docnos_per_query: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.organizing.imports.adding_qrels.PAIR_BATCH", docnos_per_query)
    task = make_task(topic_count=1, document_count=2)
    content = b"T1 0 img/D2.jpg 2\nT1 0 d1 1\nT1 0 X9 0\n"
    tried = try_import(task, ImportKind.QRELS, content, name="nist", kind="human", source="")
    (fault,) = tried.faults
    assert [example["value"] for example in fault["examples"]] == [
        "X9",
        "d1; did you mean D1?",
        "img/D2.jpg; did you mean D2?",
    ]


def test_worker_that_died_after_publishing_qrels_publishes_no_second_version() -> None:
    task = make_task(topic_count=1, document_count=2)
    options: dict[str, Any] = {"name": "nist", "kind": "human", "source": ""}
    tried = try_import(task, ImportKind.QRELS, b"T1 0 D1 2\n", **options)
    confirm_import(task_import=tried, by=tried.received_by)
    claimed = claim_work(Import, worker="a")
    assert claimed is not None
    for _ in range(2):  # the first worker published, and died before it stored the end
        import_qrels(task_import=claimed, faults=Faults(), is_trial=False)
    assert Qrels.objects.get().version == 1
    end_work(claimed, state=ImportState.DONE, counts={})
    add_import(try_import(task, ImportKind.QRELS, b"T1 0 D1 2\n", **options))
    assert [qrels.version for qrels in Qrels.objects.order_by("pk")] == [1, 2]


@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        (ImportKind.TOPICS, b"", "empty"),
        (ImportKind.COLLECTION, b"PK\3\4rubbish", "not a zip archive"),
        (ImportKind.QRELS, b"T1 0 D1\n", "line 1"),
        (ImportKind.QRELS, b"T9 0 D1 1\n", "Import its topics first"),
        (ImportKind.DOCNOS, "d1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_cannot_be_read_fails_with_the_reason(
    kind: ImportKind, content: bytes, words: str
) -> None:
    found = try_import(make_task(topic_count=1), kind, content, name="q")
    assert found.state == ImportState.FAILED
    assert words in found.error
    with pytest.raises(ImportNotTried):
        confirm_import(task_import=found, by=found.received_by)


def test_what_the_database_refuses_fails_and_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def refuse(**_: Any) -> dict[str, int]:
        raise DatabaseError("no room")

    monkeypatch.setitem(run_import.__globals__["IMPORTERS"], ImportKind.TOPICS, refuse)
    found = try_import(make_task(), ImportKind.TOPICS, b"id,t\nT1,x\n")
    assert (found.state, found.error) == (
        ImportState.FAILED,
        "The database rejected it; see the site's log.",
    )
    assert "no room" in caplog.text


def test_imports_stay_as_records() -> None:
    made = try_import(make_task(), ImportKind.DOCNOS, b"d\n")
    for change in (lambda: Import.objects.update(file_name="other"), lambda: made.delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    with pytest.raises(IntegrityError), transaction.atomic():
        Import.objects.update(state=ImportState.DONE)  # nobody confirmed it


@pytest.mark.parametrize("is_confirmed", [False, True])
@pytest.mark.parametrize(("is_archived", "words"), [(False, "no longer organizes"), (True, "is archived")])
def test_import_fails_if_its_person_may_not_change_the_task_any_more(
    is_confirmed: bool, is_archived: bool, words: str
) -> None:
    task = make_task()
    file = ContentFile(b"id,title\nT1,New\n", "topics.csv")
    by = make_organizer(task.track)
    found = receive_import(task=task, kind=ImportKind.TOPICS, file=file, by=by, options={"state": "draft"})
    if is_confirmed:
        by = make_organizer(task.track)
        confirm_import(task_import=run_queued(found), by=by)
    if is_archived:
        Archiving.objects.create(track=task.track, archived_by=by)
    else:
        by.memberships.all().delete()
    found = run_queued(found)
    assert found.state == ImportState.FAILED
    assert words in found.error
    assert not Topic.objects.exists()


def test_import_that_another_organizer_confirms_is_that_person_s() -> None:
    task = make_task()
    tried = try_import(task, ImportKind.TOPICS, b"id,title\nT1,New\n", state="draft")
    tried.received_by.memberships.all().delete()
    confirm_import(task_import=tried, by=make_organizer(task.track))
    assert run_queued(tried).state == ImportState.DONE


def test_page_lists_the_latest_imports(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.organizing.imports.pages.MOST_LISTED", 2)
    task = make_task()
    organizer = make_organizer(task.track)
    for name in ("one.csv", "two.csv", "three.csv"):
        receive_import(task=task, kind=ImportKind.TOPICS, file=ContentFile(b"x", name), by=organizer)
    client.force_login(organizer)
    page = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/imports/").content.decode()
    assert [name in page for name in ("one.csv", "two.csv", "three.csv")] == [False, True, True]


def test_baselines_count_by_their_receipt_and_the_pool_waits_for_them() -> None:
    task = make_task(topic_count=1, document_count=2)
    organizer, team = make_organizer(task.track), make_team(task.track, is_baseline=True)
    make_run(task, results={"T1": ["D2"]})
    tried = try_import(task, ImportKind.RUNS, zip_of({"bm25.run": b"T1 Q0 D1 1 2 bm25\n"}), team)
    Task.objects.update(closes_at=Now())  # between the receipt and the confirmation
    with refused("runs-not-checked", match=r"the import brought.file is tried, not confirmed"):
        build_pool(task=task, name="early", seed=1, by=organizer)
    confirm_import(task_import=tried, by=organizer)
    with refused("runs-not-checked", match="is confirmed, waiting"):
        build_pool(task=task, name="early", seed=1, by=organizer)
    early = build_pool(task=task, name="early", seed=1, by=organizer, without_waiting=True)
    assert early.items.count() == 1
    run_queued(tried)
    (missed,) = unpooled_runs(task)
    assert missed.team == team
    words = [guard.text for guard in open_actions(task, all_guards())]
    assert "1 accepted run is in no pool" in words
    Task.objects.update(closes_at=Now() + timedelta(days=1), judging_at=None, releases_at=None)
    while_open = organizer_needs(Task.objects.with_phase().get())
    assert "1 accepted run is in no pool" in [need.text for need in while_open]
    tried.refresh_from_db()
    assert tried.counts == {"added": 1, "changed": 0, "same": 0, "refused": 0}
    baseline = Run.objects.get(team=team)
    assert (baseline.received_at, baseline.is_late) == (tried.received_at, False)
    pool = build_pool(task=task, name="all", seed=1, by=organizer)
    assert set(pool.items.values_list("docno", flat=True)) == {"D1", "D2"}
    assert not unpooled_runs(task)


def test_baselines_received_after_the_close_are_refused() -> None:
    task = make_task(topic_count=1, document_count=1)
    Task.objects.update(closes_at=Now())
    team = make_team(task.track, is_baseline=True)
    tried = try_import(task, ImportKind.RUNS, zip_of({"bm25.run": b"T1 Q0 D1 1 2 bm25\n"}), team)
    assert codes_of(tried) == {"run_refused": 1}
