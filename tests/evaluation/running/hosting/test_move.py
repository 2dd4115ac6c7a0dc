"""A site with the embedded database moves completely into each installed later PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from evaluation.config.monitoring.doctor import CHECKS
from evaluation.models import Phase, QrelsKind, Report, Task
from evaluation.results.reports.actions import compute_report
from evaluation.running.hosting.addresses import EMBEDDED_WEB
from evaluation.running.hosting.backup import back_up
from evaluation.running.hosting.table_copies import EMPTIED
from tests.evaluation.conftest import site_env
from tests.evaluation.other_postgresql import found, installed, other_postgres
from tests.evaluation.running.hosting.database_roles import EVENTS, RECORDS, refused
from tests.factories import make_qrels, make_run, make_task
from tests.whole_site import make_whole_site

pytestmark = pytest.mark.whole

LATER_TABLES = (
    "assessment_exclusion",
    "assessment_exclusionevent",
    "assessment_feedback",
    "assessment_feedbacknote",
    "assessment_feedbacknoteevent",
    "evaluation_corpus",
    "evaluation_inquiry",
    "evaluation_inquiryevent",
    "evaluation_packing",
    "evaluation_retiredrow",
    "judges_comparison",
    "judges_jobevent",
)
LISTS_OF_DJANGO = ("auth_permission", "django_content_type", "django_migrations")


def row_counts(session: psycopg.Connection[tuple[object, ...]]) -> dict[str, int]:
    names = session.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {
        str(name): session.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # type: ignore[index, misc]
        for (name,) in names
    }


def manage(env: dict[str, str], *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def verified(env: dict[str, str]) -> str:
    """What `manage.py verify` prints: the hashes of some rows of tests are made up."""
    command = [sys.executable, "manage.py", "verify"]
    return subprocess.run(
        command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False
    ).stdout


@pytest.fixture
def reported(transactional_db: None) -> Task:
    """A task with a report, beside a whole site with rows of every noun."""
    make_whole_site()
    task = make_task(phase=Phase.JUDGING, topic_count=3, document_count=3, slug="moved")
    for tag, order in (("a", "D1 D2 D3"), ("b", "D3 D2 D1"), ("c", "D2 D3")):
        make_run(task, tag=tag, results={f"T{topic}": order.split() for topic in (1, 2, 3)})
    grades: dict[tuple[str, str], int | None] = {
        (f"T{topic}", f"D{number}"): number - 1 for topic in (1, 2, 3) for number in (1, 2, 3)
    }
    make_qrels(task, name="people", grades=grades)
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=grades | {("T1", "D3"): 0})
    assert compute_report(task=task)
    return task


@pytest.mark.parametrize("major", [15, 16, 17, 18])
def test_site_moves_whole_into_another_postgresql(reported: Task, tmp_path: Path, major: int) -> None:
    binary = found(major)
    back_up(tmp_path / "site.tar", say=print)
    with psycopg.connect(
        host=connection.settings_dict["HOST"], user="trackside", dbname=connection.settings_dict["NAME"]
    ) as session:
        before = {name: 0 if name in EMPTIED else count for name, count in row_counts(session).items()}
    with other_postgres(binary) as server:
        address = server.address
        env = site_env(tmp_path / "moved") | {
            "DATABASE_URL": address,
            "BROKER_URL": settings.CELERY_BROKER_URL,
        }
        manage(env, "restore", str(tmp_path / "site.tar"))
        with psycopg.connect(address) as session:
            assert session.info.server_version // 10_000 == major
            assert row_counts(session) == before
            assert reports(session) == [
                (each.inputs_sha256, each.facts, each.sections) for each in Report.objects.order_by("pk")
            ]
            with pytest.raises(psycopg.DatabaseError, match="runs_are_never_deleted"):
                session.execute("DELETE FROM evaluation_run")
        manage(env, "migrate", "--check")
        # Computed values equal those before the move, and new rows get new keys.
        with psycopg.connect(address) as session:
            session.execute("DELETE FROM evaluation_report WHERE task_id = %s", [reported.pk])
            session.execute("DELETE FROM evaluation_measurevalue")
        manage(env, "report", f"{reported.track.slug}/moved")
        with psycopg.connect(address) as session:
            old = Report.objects.get(task=reported)
            assert (old.inputs_sha256, old.facts, old.sections) in reports(session)
            newer = session.execute("SELECT count(*) FROM evaluation_report WHERE id > %s", [old.pk])
            assert newer.fetchone() == (1,)


@pytest.mark.timeout(1800)  # a busy host takes ten minutes for all migrations, there and back
def test_filled_site_goes_back_to_the_first_release_and_forward(reported: Task, tmp_path: Path) -> None:
    """As the upgrade guide of docs/deploy.md says; rows, hashes and the report stay.

    Only rows of tables that the first release does not have go. Django keeps the names of dropped tables.
    """
    back_up(tmp_path / "site.tar", say=print)
    with other_postgres(installed(15) or found(18)) as server:
        env = site_env(tmp_path / "moved") | {
            "DATABASE_URL": server.address,
            "BROKER_URL": settings.CELERY_BROKER_URL,
        }
        manage(env, "restore", str(tmp_path / "site.tar"))
        with psycopg.connect(server.address) as session:
            before, shown = row_counts(session), reports(session)
        differences = verified(env)
        for app in ("judges", "assessment", "evaluation"):
            manage(env, "migrate", app, "0001")
        manage(env, "migrate")
        with psycopg.connect(server.address) as session:
            left_out = dict.fromkeys((*LATER_TABLES, *LISTS_OF_DJANGO), 0)
            assert row_counts(session) | left_out == before | left_out
            assert reports(session) == shown
            with pytest.raises(psycopg.DatabaseError, match="runs_are_never_deleted"):
                session.execute("DELETE FROM evaluation_run")
        assert verified(env) == differences
        assert "failure" not in manage(env, "doctor")


def test_site_of_two_roles_is_restored_by_its_owner(transactional_db: None, tmp_path: Path) -> None:
    """The second role is created as docker/compose.yml creates it; its password does not matter."""
    binary = installed(15) or installed(18)
    assert binary
    task = make_task(slug="moved")
    back_up(tmp_path / "site.tar", say=print)
    with other_postgres(binary) as server:
        owner, sockets = server.address, str(server.sockets)
        subprocess.run(
            [settings.ROOT / "docker" / "database" / "roles.sh"],
            env={
                "PATH": f"{binary}:{os.environ['PATH']}",
                "PGHOST": sockets,
                "POSTGRES_USER": "admin",
                "POSTGRES_DB": "site",
                "WEB_PASSWORD": 'it\'s; a "password"',
            },
            check=True,
        )
        web = f"postgresql://{EMBEDDED_WEB}@/site?host={sockets}"
        part = site_env(tmp_path / "moved") | {"BROKER_URL": settings.CELERY_BROKER_URL, "DATABASE_URL": web}
        setup = part | {"DATABASE_OWNER_URL": owner}
        manage(setup, "restore", str(tmp_path / "site.tar"))
        manage(setup, "migrate")
        for env in (setup, part):
            assert [line.split()[0] for line in manage(env, "doctor").splitlines()] == ["ok"] * len(CHECKS)
        with psycopg.connect(web, autocommit=True) as session:
            assert session.execute("SELECT slug FROM evaluation_task").fetchall() == [("moved",)]
            for table in (*EVENTS, "evaluation_task"):
                assert refused(session, f"TRUNCATE {table} CASCADE"), table
                assert refused(session, f"ALTER TABLE {table} DISABLE TRIGGER USER"), table
            for table in (*EVENTS, *RECORDS):
                assert refused(session, f"DELETE FROM {table}"), table
            session.execute("UPDATE evaluation_task SET name = 'Renamed'")
            [change] = session.execute(
                "SELECT name FROM evaluation_taskevent WHERE pgh_label = 'update' AND pgh_obj_id = %s",
                [task.pk],
            ).fetchall()
            assert change == ("Renamed",)


def reports(session: psycopg.Connection[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return session.execute(
        "SELECT inputs_sha256, facts, sections FROM evaluation_report ORDER BY id"
    ).fetchall()
