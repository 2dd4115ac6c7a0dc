"""Each stored release is upgraded: its database by `migrate`, its backup by `restore` and `migrate`."""

from pathlib import Path

import psycopg
import pytest

from evaluation.running.hosting.schema import LINES, without_casts
from tests.upgrades.sites import RELEASES, Release, empty_site, run

pytestmark = [
    pytest.mark.whole,
    pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.folder.name),
    pytest.mark.parametrize("server", ["embedded", "15", "16", "17", "18"]),
]

LEAST_PAGES = 200  # that people of the stored site reach by links


def manage(env: dict[str, str], *words: str) -> None:
    done = run(env, "manage.py", *words)
    assert done.returncode == 0, done.stderr


def schema(address: str) -> set[tuple[str, str]]:
    with psycopg.connect(address) as session:
        return {(table, without_casts(line)) for table, line in session.execute(LINES)}


def check_upgraded(env: dict[str, str], address: str) -> None:
    """Crawl the site, and compare its schema with the one of a new site on the same server."""
    crawled = run(env, "-m", "tests.upgrades.crawl")
    assert crawled.returncode == 0, crawled.stderr
    pages = sum(int(line.split()[-2]) for line in crawled.stdout.splitlines() if line.endswith(" pages"))
    assert pages >= LEAST_PAGES, crawled.stdout
    upgraded = schema(address)
    with psycopg.connect(address, autocommit=True) as session:
        session.execute("DROP SCHEMA public CASCADE")
        session.execute("CREATE SCHEMA public")
    manage(env, "migrate")
    assert upgraded == schema(address)


def test_stored_database_is_migrated(servers: None, release: Release, server: str) -> None:
    with empty_site(server) as (var, env, address):
        with psycopg.connect(address, autocommit=True) as session:
            session.execute(release.statements)
        release.store_blobs(var)
        manage(env, "migrate")
        check_upgraded(env, address)


def test_stored_backup_is_restored_and_migrated(
    servers: None, release: Release, server: str, tmp_path: Path
) -> None:
    backup = tmp_path / "site.tar"
    backup.write_bytes(release.backup)
    with empty_site(server) as (_, env, address):
        manage(env, "restore", str(backup))
        manage(env, "migrate")
        check_upgraded(env, address)
