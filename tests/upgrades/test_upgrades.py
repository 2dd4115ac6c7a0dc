"""Each stored release is upgraded: its database by `migrate`, its backup by `restore` and `migrate`."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.conf import settings

from evaluation.hosting.addresses import EMBEDDED_NAME, socket_folder
from evaluation.hosting.embedded import EmbeddedServers, embedded_servers
from evaluation.hosting.schema import LINES, without_casts
from tests.evaluation.conftest import make_var, remove_var, site_env
from tests.evaluation.other_postgresql import found, other_postgres
from tests.upgrades.releases import RELEASES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.upgrades.releases import Release

pytestmark = [
    pytest.mark.whole,
    pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.folder.name),
    pytest.mark.parametrize("server", ["embedded", "15", "16", "17", "18"]),
]

EMBEDDED = "embedded"
LEAST_PAGES = 200  # that people of the stored site reach by links


@contextmanager
def empty_site(server: str) -> Iterator[tuple[Path, dict[str, str], str]]:
    """A site's folder, the environment of its commands, and the address of its empty database."""
    var = make_var()
    try:
        if server == EMBEDDED:
            with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)):
                address = f"postgresql://{EMBEDDED_NAME}@/{EMBEDDED_NAME}?host={socket_folder(var)}"
                yield var, site_env(var), address
        else:
            with other_postgres(found(int(server))) as other:
                external = {"DATABASE_URL": other.address, "BROKER_URL": settings.CELERY_BROKER_URL}
                yield var, site_env(var) | external, other.address
    finally:
        remove_var(var)


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False)


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
