"""The process tree: starts ready, stops in order, survives kills, and leaves external servers alone."""

import json
import os
import re
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from celery import Celery
from django.core.files.base import ContentFile

from evaluation.config.backends.blob_storage import WholeFileStorage
from evaluation.config.management.commands.up import port_of
from evaluation.running.hosting import process_tree
from evaluation.running.hosting.addresses import EMBEDDED_WEB, embedded_broker_url, embedded_database_url
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers
from evaluation.running.hosting.process_tree import AT_ONCE, ProcessTree
from evaluation.running.hosting.servers.server import processes_in
from evaluation.running.hosting.site_parts import NICENESS, Announce
from tests.evaluation.conftest import PATIENCE, Process, children, living, make_var, remove_var, wait_for
from tests.evaluation.running.hosting.database_roles import refused
from trackside.errors import InputError

Start = Callable[..., Process]
UP = ("manage.py", "up", "--port", "0")


@pytest.mark.parametrize(
    ("site_url", "port"),
    [("http://127.0.0.1:9000", 9000), ("http://track.example", 8000), ("https://track.example:9000", 8000)],
)
def test_up_serves_on_the_port_of_an_http_site_url(site_url: str, port: int) -> None:
    assert port_of(site_url) == port


def address(up: Process) -> str:
    """The URL that a site prints when it is ready."""
    up.wait_for_text("Trackside is ready on")
    found = re.search(r"ready on (\S+)", up.text)
    assert found
    return found[1]


def tree_of(up: Process) -> set[int]:
    """The process ids of the whole tree, servers and their children included."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(status.parts[2])] = int(fields[1])
    tree = {up.child.pid}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return tree


def root_of(part: str, up: Process) -> int:
    """The process id of a part; its children have the same name.

    Where setproctitle is installed, as mutmut does, gunicorn and Celery name their processes themselves.
    """
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in children(up.child.pid)}
    titles = {"web": "gunicorn: master", "worker": "[celeryd: default", "beat": "[celery beat]"}
    own = titles.get(part, f"[celeryd: {part}")[:15]
    (found,) = (pid for pid, name in names.items() if name == part or name.startswith(own))
    return found


def health(up: Process) -> dict[str, str]:
    with urllib.request.urlopen(f"{address(up)}/health", timeout=30) as answer:
        words: dict[str, str] = json.load(answer)
    return words


@pytest.mark.whole
def test_up_serves_works_and_stops_in_order_even_after_one_that_was_killed(site: Path, start: Start) -> None:
    killed = start(site, *UP)
    address(killed)
    second = start(site, *UP)
    assert second.child.wait(PATIENCE) == 1
    assert f"already running (process {killed.child.pid})" in second.text
    tree = tree_of(killed)
    assert len(tree) > 10
    killed.child.kill()
    killed.child.wait()
    again = start(site, *UP)
    address(again)
    assert not living(tree)
    check_up(again, site)


def check_up(up: Process, site: Path) -> None:
    """The site serves, works and stops in order."""
    assert health(up) == {"database": "answers", "queue": "answers"}
    assert served_queues(site) == {
        "default": {"default", "mail"},
        "long": {"imports", "scores", "reports", "operations"},
        "judges": {"judges"},
        "trials": {"trials"},
    }
    check_roles_of(site)
    check_niceness(up)
    tree = tree_of(up)
    start = time.monotonic()
    while time.monotonic() < start + AT_ONCE / 5:  # the first stops it; the others do not change that
        os.killpg(up.child.pid, signal.SIGINT)  # as a terminal sends it
        time.sleep(0.002)
    assert up.child.wait(PATIENCE) == 0
    assert not living(tree)
    assert not (site / "postgres" / "postmaster.pid").exists(), "the database was not shut down cleanly"
    stops = [up.text.index(line) for line in ("Shutting down: Master", "Warm shutdown", "has stopped")]
    assert stops == sorted(stops)


def check_niceness(up: Process) -> None:
    """Workers and their children yield to the web processes."""
    own = os.getpriority(os.PRIO_PROCESS, up.child.pid)
    for part, niceness in {"web": 0, **NICENESS}.items():
        root = root_of(part, up)
        found = {os.getpriority(os.PRIO_PROCESS, pid) - own for pid in (root, *children(root))}
        assert found == {niceness}, part
        autogroup = Path(f"/proc/{root}/autogroup")
        if niceness and autogroup.exists():  # else only processes of one session yield to each other
            assert autogroup.read_text().split()[-2:] == ["nice", str(own + niceness)], part


def check_roles_of(site: Path) -> None:
    """Web and workers connect only with the role that owns nothing."""
    with psycopg.connect(embedded_database_url(site)) as owner:
        roles = owner.execute(
            "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).fetchall()
    assert roles == [(EMBEDDED_WEB,)]
    with psycopg.connect(embedded_database_url(site, EMBEDDED_WEB), autocommit=True) as web:
        assert refused(web, "TRUNCATE evaluation_trackevent")
        assert refused(web, "DELETE FROM assessment_judgment")
        assert refused(web, "ALTER TABLE evaluation_run DISABLE TRIGGER ALL")


def served_queues(site: Path) -> dict[str, set[str]]:
    """The queues of each of the four workers; repeats the request until all have answered."""
    served: dict[str, set[str]] = {}
    with Celery(broker=embedded_broker_url(site), set_as_current=False) as app:

        def have_answered() -> bool:
            queues = app.control.inspect(timeout=2, limit=4).active_queues() or {}
            for name, its in queues.items():
                served[name.partition("@")[0]] = {queue["name"] for queue in its}
            return len(served) == 4

        wait_for(have_answered, "an answer of each worker")
    return served


@pytest.mark.whole
def test_up_starts_a_killed_part_again_and_ends_with_its_database(site: Path, start: Start) -> None:
    up = start(site, *UP)
    address(up)
    os.kill(root_of("judges", up), signal.SIGKILL)
    up.wait_for_text("judges ended (exit code -9)")
    wait_for(lambda: len(re.findall(r"judges@\S+ ready", up.text)) == 2, "the judge worker's second start")
    os.kill(int((site / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    assert up.child.wait(PATIENCE) == 1
    assert "PostgreSQL ended by itself" in up.text


@pytest.mark.whole
def test_second_signal_kills_what_does_not_stop(site: Path, start: Start) -> None:
    up = start(site, *UP)
    address(up)
    tree = tree_of(up)
    stuck = root_of("web", up)
    os.kill(stuck, signal.SIGSTOP)
    while living({stuck}):
        os.kill(up.child.pid, signal.SIGTERM)
        time.sleep(0.2)
    assert up.child.wait(PATIENCE) == 0
    # The kernel kills the children of a killed part, and does not wait for their end.
    wait_for(lambda: not living(tree), "the end of the killed parts' children")
    assert "Warm shutdown" not in up.text


@pytest.mark.whole
def test_used_port_is_refused_before_anything_starts(tmp_path: Path, start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        up = start(tmp_path, "manage.py", "up", "--port", str(port))
        assert up.child.wait(PATIENCE) == 1
    assert f"Cannot serve on 127.0.0.1:{port}" in up.text
    assert not (tmp_path / "postgres").exists()


@pytest.mark.whole
def test_external_servers_are_used_and_nothing_is_embedded(site: Path, start: Start) -> None:
    own = make_var()
    try:
        with embedded_servers(EmbeddedServers(site, has_database=True, has_queue=True, is_durable=False)):
            external = {"DATABASE_URL": embedded_database_url(site), "BROKER_URL": embedded_broker_url(site)}
            up = start(own, *UP, **external)
            assert health(up) == {"database": "answers", "queue": "answers"}
            up.child.send_signal(signal.SIGTERM)  # only to the parent
            assert up.child.wait(PATIENCE) == 0
            assert processes_in(site / "postgres"), "the external database was stopped"
        assert {entry.name for entry in own.iterdir()} & {"postgres", "valkey", "log"} == set()
    finally:
        remove_var(own)


BESIDE = """
import django; django.setup()
from evaluation.running.hosting.running_site import site_processes
from pathlib import Path
from django.conf import settings
from django.contrib.sessions.models import Session
with site_processes(web={web}, port=0, log=settings.TRACKSIDE_VAR / "log" / "site.log") as site:
    print("rows", Session.objects.count(), flush=True)
    {then}
print("left", flush=True)
"""
WAITS = 'site.wait(lambda: print("Trackside is ready on", site.address, flush=True))'


@pytest.mark.whole
def test_site_beside_a_command_stops_with_it(site: Path, start: Start) -> None:
    command = start(site, "-c", BESIDE.format(web=False, then="pass"))
    assert command.child.wait(PATIENCE) == 0
    assert "rows 0" in command.text
    assert "left" in command.text
    assert "default@" in (site / "log" / "site.log").read_text()
    assert not processes_in(site / "postgres")


@pytest.mark.whole
def test_site_beside_a_killed_command_ends(site: Path, start: Start) -> None:
    command = start(site, "-c", BESIDE.format(web=True, then=WAITS))
    address(command)
    tree = tree_of(command)
    command.child.kill()
    command.child.wait()
    wait_for(lambda: not living(tree), "the end of the site")


@pytest.mark.whole
def test_no_other_account_reads_anything_in_var(site: Path, start: Start) -> None:
    """Neither files that an earlier release left readable, nor files that the running site writes."""
    blob = site / "blobs" / "ab" / "old"
    blob.parent.mkdir(parents=True)
    blob.touch()
    for path in (blob, blob.parent, blob.parent.parent, site):
        path.chmod(0o755)
    before = os.umask(0o022)
    try:
        up = start(site, *UP)
    finally:
        os.umask(before)
    address(up)
    # The database's account may traverse var, but cannot list it.
    assert site.stat().st_mode & 0o066 == 0
    tops = [path for path in site.iterdir() if path.name != "postgres" and path != up.output]
    assert {path.name for path in tops} >= {"blobs", "log", "run"}
    assert [path for path in tops if path.stat().st_mode & 0o077] == []
    written = [path for path in (site / "log").rglob("*") if path.stat().st_mode & 0o077]
    assert written == []
    assert up.end(signal.SIGINT) == 0


def test_blobs_are_stored_for_the_site_s_account_alone(tmp_path: Path) -> None:
    storage = WholeFileStorage(location=tmp_path / "blobs")
    storage.save("ab/abc", ContentFile(b"bytes"))
    modes = [
        path.stat().st_mode & 0o777 for path in (tmp_path / "blobs" / "ab" / "abc", tmp_path / "blobs" / "ab")
    ]
    assert modes == [0o600, 0o700]


def idle(_announce: Announce) -> None:
    signal.pause()


def test_part_that_does_not_get_ready_ends_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "READY_SECONDS", 0.2)
    with ProcessTree(sys.stdout, is_prefixed=True) as tree:
        tree.start("idle", idle)
        with pytest.raises(InputError, match="idle ended"):
            tree.wait_until_ready()
