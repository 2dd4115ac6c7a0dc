"""An upgrade from a stored release keeps each row and each recorded change of the tables that it drops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest

from tests.upgrades.sites import EMBEDDED, RELEASES, Release, empty_site, run

pytestmark = pytest.mark.whole

# The tables that later migrations drop or thin out, and the rows that are kept.
TABLES: dict[str, LiteralString] = {
    "evaluation_signature": "SELECT to_jsonb(r) FROM evaluation_signature AS r ORDER BY id",
    "evaluation_signatureevent": "SELECT to_jsonb(r) FROM evaluation_signatureevent AS r ORDER BY pgh_id",
    "evaluation_entryrules": (
        "SELECT to_jsonb(r) FROM evaluation_entryrules AS r WHERE agreement <> '' ORDER BY id"
    ),
    "evaluation_entryrulesevent": (
        "SELECT to_jsonb(r) FROM evaluation_entryrulesevent AS r WHERE agreement <> '' ORDER BY pgh_id"
    ),
}
KEPT: LiteralString = "SELECT content FROM evaluation_retiredrow WHERE source = %s ORDER BY id"
# The track asks for no approval, runs for another year, and one of its teams has signed an older text.
STATE: tuple[LiteralString, ...] = (
    "SET session_replication_role = replica",
    "UPDATE evaluation_entryrules SET needs_approval = false",
    "UPDATE evaluation_task SET releases_at = now() + interval '1 year'",
    "DELETE FROM evaluation_application",
    "UPDATE evaluation_signature SET agreement_sha256 = repeat('0', 64)"
    " WHERE id = (SELECT max(id) FROM evaluation_signature)",
    "UPDATE evaluation_track SET guidelines = 'Be on time.'",
    "RESET session_replication_role",
)


def rows(session: psycopg.Connection[Any], statement: LiteralString, *values: object) -> list[Any]:
    return [row[0] for row in session.execute(statement, values or None).fetchall()]


@pytest.fixture(params=RELEASES, ids=lambda release: release.folder.name)
def upgraded(
    servers: None, request: pytest.FixtureRequest
) -> Iterator[tuple[psycopg.Connection[Any], dict[str, list[Any]]]]:
    """A session on the upgraded database, and the rows of the dropped tables before the upgrade."""
    release: Release = request.param
    with empty_site(EMBEDDED) as (_, env, address), psycopg.connect(address, autocommit=True) as session:
        session.execute(release.statements)
        session.execute("SET search_path TO public")
        for statement in STATE:
            session.execute(statement)
        before = {table: rows(session, statement) for table, statement in TABLES.items()}
        done = run(env, "manage.py", "migrate")
        assert done.returncode == 0, done.stderr
        yield session, before


def test_rows_and_changes_of_dropped_tables_are_kept(
    upgraded: tuple[psycopg.Connection[Any], dict[str, list[Any]]],
) -> None:
    session, before = upgraded
    assert all(before.values())  # the stored site has each kind of row
    assert {table: rows(session, KEPT, table) for table in TABLES} == before
    assert rows(session, "SELECT count(*) FROM evaluation_retiredrow WHERE track_id IS NULL") == [0]
    check_teams_wait(session)


def check_teams_wait(session: psycopg.Connection[Any]) -> None:
    """The text is among the guidelines; uploads need an approval, for which teams wait that have signed."""
    assert rows(session, "SELECT needs_approval FROM evaluation_entryrules") == [True]
    guidelines: LiteralString = (
        "SELECT guidelines FROM evaluation_track JOIN evaluation_entryrules ON track_id = evaluation_track.id"
    )
    assert rows(session, guidelines) == ["Be on time.\n\n## Agreement\n\nDo *no* harm."]
    signed = rows(
        session,
        "SELECT (content->>'team_id')::int FROM evaluation_retiredrow WHERE source = 'evaluation_signature'"
        " AND content->>'agreement_sha256' <> repeat('0', 64) ORDER BY 1",
    )
    waiting: LiteralString = (
        "SELECT team_id FROM evaluation_application"
        " WHERE state = 'waiting' AND words LIKE 'Signed the agreement%' ORDER BY 1"
    )
    assert rows(session, waiting) == signed
    assert len(signed) > 0


def test_older_backup_is_restored_with_its_signatures(servers: None, tmp_path: Path) -> None:
    backup = tmp_path / "site.tar"
    backup.write_bytes(RELEASES[0].backup)
    with empty_site(EMBEDDED) as (_, env, address):
        for words in (["restore", str(backup)], ["migrate"]):
            done = run(env, "manage.py", *words)
            assert done.returncode == 0, done.stderr
        with psycopg.connect(address) as session:
            kept = rows(session, KEPT, "evaluation_signature")
        assert kept
        again = tmp_path / "again.tar"
        assert run(env, "manage.py", "backup", str(again)).returncode == 0
        done = run(env, "manage.py", "restore", "--replace", str(again))
        assert done.returncode == 0, done.stderr
        with psycopg.connect(address) as session:
            assert rows(session, KEPT, "evaluation_signature") == kept
