"""`migrate` refuses a database in a state that no release creates, and changes nothing in it."""

import psycopg
import pytest
from django.db import connection

from evaluation.running.hosting import schema
from evaluation.running.hosting.schema import check_schema, refuse_unknown_migrations
from tests.upgrades.sites import RELEASES, empty_site, run
from trackside.errors import InputError

pytestmark = pytest.mark.whole

# Each change, and the start of the difference that names it.
CHANGES = {
    "ALTER TABLE evaluation_run DROP COLUMN file_name CASCADE": "missing: column evaluation_run.file_name ",
    "ALTER TABLE judges_job ADD COLUMN old text": "unknown: column judges_job.old ",
    "ALTER TABLE assessment_tally ALTER count TYPE bigint": "missing: column assessment_tally.count integer ",
    "ALTER TABLE assessment_tally ALTER grade SET DEFAULT 1": "unknown: column assessment_tally.grade ",
    "ALTER TABLE assessment_tally DROP CONSTRAINT tally_not_negative": "missing: constraint tally_not_neg",
    "DROP TRIGGER pgtrigger_a_retired_row_stays_07c1d ON evaluation_retiredrow": "missing: trigger O CREATE",
    "DROP INDEX account_emailaddress_email_03be32b2": "missing: index CREATE INDEX account_",
    "CREATE TABLE assessment_old (id int)": "unknown: column assessment_old.id ",
    "DROP TABLE evaluation_packing": "missing: column evaluation_packing.",
}


@pytest.mark.django_db
def test_each_difference_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SHOWN", 1000)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("CREATE TABLE notes_of_the_administrator (id int)")  # not ours
        check_schema()
        for change in CHANGES:
            cursor.execute(change)
    with pytest.raises(InputError) as refusal:
        check_schema()
    assert [start for start in CHANGES.values() if start not in str(refusal.value)] == []
    assert "administrator" not in str(refusal.value)


@pytest.mark.django_db
def test_unknown_migration_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('judges', '0002_old', now())"
        )
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('sites', '0001_initial', now())"
        )
    with pytest.raises(
        InputError, match=r"or of a newer release: this release has no migration judges\.0002_old\."
    ):
        check_schema()


@pytest.mark.django_db(transaction=True)
def test_web_does_not_start_on_a_database_of_a_newer_release() -> None:
    refuse_unknown_migrations()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('judges', '9_new', now())")
    try:
        with pytest.raises(SystemExit, match=r"judges\.9_new, which this release does not know"):
            refuse_unknown_migrations()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '9_new'")


def rows(address: str) -> list[tuple[object, ...]]:
    with psycopg.connect(address) as session:
        return session.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()


def test_verify_after_an_older_restore_says_what_to_run(servers: None) -> None:
    """Its code reads columns that a later migration adds; the restored tables lack them."""
    with empty_site("18") as (_, env, address):
        with psycopg.connect(address, autocommit=True) as session:
            session.execute(RELEASES[0].statements)
        done = run(env, "manage.py", "verify")
        assert done.returncode == 1
        assert "Run manage.py migrate." in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["migrate", "up"])
def test_commands_refuse_an_unreleased_state_without_a_traceback(servers: None, command: str) -> None:
    """An edited migration: its name is recorded, its table is missing, and a later migration waits."""
    with empty_site("18") as (_, env, address):
        with psycopg.connect(address, autocommit=True) as session:
            session.execute(RELEASES[0].statements)
            session.execute("DROP TABLE public.evaluation_packing")
            session.execute("DELETE FROM public.django_migrations WHERE name = '0010_invitation_keys'")
        before = rows(address)
        done = run(env, "manage.py", command, *(["--port=0"] if command == "up" else []))
        assert done.returncode == 1
        said = done.stdout + done.stderr
        assert "This database is of an unreleased state" in said
        assert "column evaluation_packing." in said
        assert "restore --replace FILE" in said
        assert "Traceback" not in said
        assert rows(address) == before
