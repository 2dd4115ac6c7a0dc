"""The embedded servers: PostgreSQL and Valkey on private sockets; the base of commands that need them."""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from evaluation.running.hosting.addresses import socket_folder
from evaluation.running.hosting.schema import schema_fault
from evaluation.running.hosting.servers.install import Account
from evaluation.running.hosting.servers.kinds import Postgres, Valkey
from evaluation.running.hosting.servers.server import Server, ServerProcess, begin, wait_until_answering
from evaluation.running.hosting.var_folder import SiteAlreadyRunning, owned
from trackside.errors import InputError


@dataclass(frozen=True)
class EmbeddedServers:
    """Which servers a site embeds, and where."""

    var: Path
    has_database: bool
    has_queue: bool
    is_durable: bool = True  # False in tests: no fsync, the queue in memory

    @classmethod
    def of_settings(cls) -> "EmbeddedServers":
        """Read the settings: a server is embedded if its address is not set."""
        return cls(settings.TRACKSIDE_VAR, settings.HAS_EMBEDDED_DATABASE, settings.HAS_EMBEDDED_QUEUE)

    def servers(self) -> list[Server]:
        """Return the servers in start order."""
        kinds = [Postgres] * self.has_database + [Valkey] * self.has_queue
        return [kind(self.var, socket_folder(self.var), is_durable=self.is_durable) for kind in kinds]


@contextmanager
def embedded_servers(embedding: EmbeddedServers | None = None) -> Iterator[None]:
    """Run the site's embedded servers within the block.

    If the site is running, this uses its servers and leaves them running; otherwise it starts them and
    finally stops them. It never starts or stops external servers.

    Raises:
        InputError: a server did not start; the text says why.
    """
    embedding = embedding or EmbeddedServers.of_settings()
    with ExitStack() as stack:
        if embedding.servers():
            try:
                stack.enter_context(owned(embedding.var))
            except SiteAlreadyRunning:
                for server in embedding.servers():
                    wait_until_answering(server)
            else:
                stack.enter_context(started_servers(embedding))
        yield


@contextmanager
def started_servers(embedding: EmbeddedServers) -> Iterator[list[ServerProcess]]:
    """Start the servers of a folder that this process owns; stop them in reverse order."""
    servers = embedding.servers()
    running: list[ServerProcess] = []
    try:
        if servers:
            _make_socket_folder(embedding.var)
        for server in servers:
            running.append(begin(server))  # noqa: PERF401 - if a server fails, stop those before it
        for server, process in zip(servers, running, strict=True):
            wait_until_answering(server, process)
            if isinstance(server, Postgres):
                server.ensure_database()
        yield running
    finally:
        for process in reversed(running):
            process.stop()
        with suppress(OSError):  # the folder is absent, or contains the socket of a killed server
            socket_folder(embedding.var).rmdir()


def _make_socket_folder(var: Path) -> None:
    """Create the folder. Its parent is world-writable, so it must be ours and closed to others."""
    folder = socket_folder(var)
    account = Account.for_cluster(var / "postgres")
    try:
        account.own(folder)
    except FileExistsError:
        status = folder.lstat()
        is_private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) & 0o077 == 0
        if not is_private or status.st_uid not in {account.uid, os.geteuid()}:
            raise InputError(
                f"{folder} must be a folder of the servers' account that no other account can enter. Remove "
                "it if nobody needs it, or choose another folder with TRACKSIDE_VAR."
            ) from None


class SiteCommand(BaseCommand):
    """A command that uses the database; it starts the embedded servers unless the site runs."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; raise CommandError for an InputError, and for tables of another release."""
        try:
            with embedded_servers():
                try:
                    return super().execute(*args, **options)
                except ProgrammingError as error:  # a table or column is missing, or may not be read
                    from evaluation.running.hosting.database_roles import (
                        as_owner,
                    )  # needs the apps, the rest does not

                    with as_owner():
                        if fault := schema_fault():
                            raise CommandError(fault) from error
                    raise
        except InputError as error:
            raise CommandError(str(error)) from error
