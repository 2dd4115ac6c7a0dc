"""A site with items to judge, in separate processes: durable PostgreSQL, and gunicorn as in production."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from evaluation.running.hosting.children import tie_to_parent
from evaluation.running.hosting.embedded import EmbeddedServers, started_servers
from evaluation.running.hosting.servers.server import ServerProcess
from tests.evaluation.conftest import children, site_env, wait_for

CSRF = "f" * 32


@dataclass
class WebSite:
    """The site's port, web server and database; ``works`` are what ``judging_site.fill`` returns."""

    port: int
    web: subprocess.Popen[bytes]
    servers: list[ServerProcess]
    works: list[dict[str, Any]]

    @property
    def workers(self) -> list[int]:
        """The web server's workers at this moment."""
        return sorted(children(self.web.pid))


@contextmanager
def judging_site(var: Path, *, people: int, items: int, has_pictures: bool = False) -> Iterator[WebSite]:
    """Run it in the folder of a migrated site, with this many assessors and items for each."""
    with started_servers(EmbeddedServers(var, has_database=True, has_queue=False)) as servers:
        command = [sys.executable, "-m", "tests.faults.judging_site", str(people), str(items)]
        filled = subprocess.run(
            command + ["pictures"] * has_pictures,
            cwd=settings.ROOT,
            env=site_env(var),
            check=True,
            stdout=subprocess.PIPE,
        )
        with web_server(site_env(var), log=var / "web.log") as (port, web):
            yield WebSite(port, web, servers, json.loads(filled.stdout))


@contextmanager
def web_server(
    environment: Mapping[str, str], *, log: Path = Path(os.devnull)
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Gunicorn as in production: its port, on which it listens, and its process."""
    with socket.socket() as bound, log.open("wb") as output:
        bound.bind(("127.0.0.1", 0))  # reserves the port; connections are refused until gunicorn listens
        port, descriptor = bound.getsockname()[1], bound.fileno()
        command = [
            sys.executable,
            "-m",
            "gunicorn",
            "--config",
            "python:evaluation.running.hosting.web_server",
        ]
        process = subprocess.Popen(
            [*command, "--bind", f"fd://{descriptor}", "evaluation.config.wsgi"],
            cwd=settings.ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            pass_fds=[descriptor],
            process_group=0,
            preexec_fn=tie_to_parent(signal.SIGKILL),  # its workers end with it
        )
        try:
            wait_for(lambda: _is_listening(port), "the web server")
            yield port, process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _is_listening(port: int) -> bool:
    with socket.socket() as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0


def saving(work: dict[str, Any], image: str, grade: int, key: str) -> tuple[dict[str, str], dict[str, str]]:
    """Headers and fields with which the screen's script saves a judgment."""
    headers = {
        "Cookie": f"{work['cookie']}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    fields = {"client_uuid": key, "criteria_version": "1", "image_sha256": image, "grade": str(grade)}
    return headers, fields | {"shown_at": "2026-09-01T12:00:00Z", "active_seconds": "1.5"}
