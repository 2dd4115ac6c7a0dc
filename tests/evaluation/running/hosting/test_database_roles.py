"""The role of web and workers can do the site's work, but cannot change recorded rows."""

import subprocess
import sys
from collections.abc import Iterator

import pghistory
import pgtrigger
import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from evaluation.collections.actions import delete_collection
from evaluation.config.monitoring.doctor import CHECKS, Level, check_roles
from evaluation.models import Phase, Track
from evaluation.organizing.audit.queries import changes_in
from evaluation.platform.access.changes import to_read
from evaluation.running.hosting.addresses import EMBEDDED_WEB
from evaluation.running.hosting.database_roles import kept_tables
from evaluation.submissions.runs.editing import withdraw_run
from tests.assessment.factories import judge, make_assignment
from tests.evaluation.running.hosting.database_roles import EVENTS, RECORDS, refused
from tests.factories import make_collection, make_document, make_organizer, make_qrels, make_run, make_task
from tests.migrated_database import as_web


@pytest.fixture
def web(transactional_db: None) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A session in this test's database with the role of web and workers."""
    place = connection.settings_dict
    with psycopg.connect(
        host=place["HOST"], dbname=place["NAME"], user=EMBEDDED_WEB, autocommit=True
    ) as session:
        yield session


def test_tables_of_changes_and_records_are_kept() -> None:
    assert len(EVENTS) > 20
    assert all(kept_tables()[table] == ("UPDATE", "DELETE") for table in (*EVENTS, *RECORDS))
    # Workers may change these rows, under conditions that triggers check; nobody may delete them.
    assert kept_tables()["evaluation_run"] == ("DELETE",)
    assert "evaluation_document" not in kept_tables()


def test_web_role_truncates_no_table_and_rewrites_no_record(
    web: psycopg.Connection[tuple[object, ...]],
) -> None:
    tables = web.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert len(tables) > 80
    for (table,) in tables:
        assert refused(web, f"TRUNCATE {table} CASCADE"), table
        assert refused(web, f"ALTER TABLE {table} DISABLE TRIGGER USER"), table
        assert refused(web, f"DROP TABLE {table} CASCADE"), table
    for table in (*EVENTS, *RECORDS, "pghistory_context", "django_migrations"):
        assert refused(web, f"DELETE FROM {table}"), table
    for table in EVENTS:
        assert refused(web, f"UPDATE {table} SET pgh_label = 'insert'"), table
    assert refused(web, "UPDATE assessment_judgment SET grade = 2")
    assert refused(web, "UPDATE pghistory_context SET metadata = '{}'")
    assert refused(web, "CREATE TABLE mine (a int)")
    assert refused(web, "SET session_replication_role = replica")


def test_web_role_switches_no_trigger_off(web: psycopg.Connection[tuple[object, ...]]) -> None:
    """Neither by pgtrigger's setting nor by a temporary table named like one that a trigger reads."""
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=1)
    triggers = [each.get_pgid(model) for model, each in pgtrigger.registered()]
    web.execute("SELECT set_config('pgtrigger.ignore', %s, false)", [f"{{{','.join(triggers)}}}"])
    with pytest.raises(psycopg.DatabaseError, match="the document is judged or released"):
        web.execute("UPDATE evaluation_document SET fields = '[]'")
    web.execute("SET pgtrigger.ignore = '{}'")
    for table in ("evaluation_task", "evaluation_topicevent", "pghistory_context"):
        web.execute(f"CREATE TEMPORARY TABLE {table} (LIKE public.{table})".encode())
    with pytest.raises(psycopg.DatabaseError, match="the topic is judged or released"):
        web.execute("UPDATE evaluation_topic SET fields = '[]'")
    before = changes_in(task.track, model="evaluation.topic").count()
    web.execute("SELECT set_config('pghistory.context_id', gen_random_uuid()::text, false)")
    web.execute("SELECT set_config('pghistory.context_metadata', '{}', false)")
    web.execute("UPDATE evaluation_topic SET note = 'bent'")
    assert changes_in(task.track, model="evaluation.topic").count() == before + 1
    assert web.execute("SELECT count(*) FROM pg_temp.evaluation_topicevent").fetchone() == (0,)
    assert web.execute("SELECT count(*) FROM pg_temp.pghistory_context").fetchone() == (0,)


def test_web_role_does_the_work_of_pages_and_workers(transactional_db: None) -> None:
    with as_web():
        assignment = make_assignment()
        task = assignment.pool.task
        assert judge(assignment, "D1", 2).grade == 2
        make_qrels(task)
        run, organizer = make_run(task), make_organizer(task.track, name="O. Ortega")
        with pghistory.context(user=organizer.pk, url="/here"):
            withdraw_run(run=run, by=organizer, reason="Trained on the topics.")
        change = to_read(changes_in(task.track, model="evaluation.run")[:1])[0]
        assert (change.person, change.by) == ("O. Ortega", "/here")
        spare = make_collection(task.track)
        make_document(spare)
        assert delete_collection(collection=spare) == 1
        with pytest.raises(DatabaseError), transaction.atomic():
            Track.objects.filter(pk=task.track.pk)._raw_delete("default")


def test_doctor_finds_a_single_role_and_excess_rights(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    [one_role] = check_roles()
    assert one_role.level == Level.WARNING
    assert "DATABASE_OWNER_URL" in one_role.text
    with as_web():
        assert [each.level for each in check_roles()] == [Level.OK]
        # A web process does not need to know the owner.
        with monkeypatch.context() as patched:
            patched.setitem(settings.DATABASE_OWNER, "USER", EMBEDDED_WEB)
            assert [each.level for each in check_roles()] == [Level.OK]
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT TRUNCATE, DELETE ON evaluation_runevent TO {EMBEDDED_WEB}")
    with as_web():
        [found] = check_roles()
    with connection.cursor() as cursor:
        cursor.execute(f"REVOKE TRUNCATE, DELETE ON evaluation_runevent FROM {EMBEDDED_WEB}")
    assert found.level == Level.FAILURE
    assert "may truncate evaluation_runevent; may delete rows of evaluation_runevent" in found.text


@pytest.mark.whole
def test_commands_grant_and_examine(site_environment: dict[str, str]) -> None:
    def manage(name: str, **changes: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", name]
        env = site_environment | changes
        return subprocess.run(
            command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False
        )

    with connection.cursor() as cursor:
        cursor.execute(f"GRANT DELETE ON evaluation_taskevent TO {EMBEDDED_WEB}")
    assert manage("doctor").returncode == 1
    assert "evaluation_taskevent: no UPDATE, DELETE" in manage("grant_roles").stdout
    healthy = manage("doctor")
    assert healthy.returncode == 0, healthy.stderr
    assert [line.split()[0] for line in healthy.stdout.splitlines()] == ["ok"] * len(CHECKS)
    one_role = manage("doctor", DATABASE_URL=site_environment["DATABASE_OWNER_URL"])
    assert (one_role.returncode, "warning" in one_role.stdout) == (0, True)
