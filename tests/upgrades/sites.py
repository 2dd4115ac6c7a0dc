"""Sites with an empty database on each server, and their commands."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from evaluation.hosting.addresses import EMBEDDED_NAME, socket_folder
from evaluation.hosting.embedded import EmbeddedServers, embedded_servers
from tests.evaluation.conftest import make_var, remove_var, site_env
from tests.evaluation.other_postgresql import found, other_postgres

EMBEDDED = "embedded"


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
