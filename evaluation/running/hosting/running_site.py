"""The whole site as one process tree, from the database to beat; in foreground or background."""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn
from urllib.parse import urlsplit

from django.conf import settings

from evaluation.running.hosting import site_parts
from evaluation.running.hosting.children import name_process, tie_to_parent
from evaluation.running.hosting.embedded import EmbeddedServers, started_servers
from evaluation.running.hosting.process_tree import END_SIGNALS, FORK, ProcessTree
from evaluation.running.hosting.var_folder import owned
from trackside.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HOST, PORT = "127.0.0.1", 8000  # unless others are chosen
EVERY_HOST = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def run_site(
    announce: Callable[[str], None], *, web: bool = True, host: str = HOST, port: int = PORT
) -> NoReturn:
    """Run the site in the foreground until KeyboardInterrupt, then stop it in order.

    Args:
        announce: called with the address once everything is ready; empty without web.
        web: whether to serve pages.
        host: the address to serve on.
        port: its port; 0 takes any free one.

    Raises:
        InputError: the site did not start, or a server ended; the text says why.
    """
    _handle_end_signals(_end_once)
    embedding = EmbeddedServers.of_settings()
    with ExitStack() as stack:
        listener = stack.enter_context(closing(_listen(host, port))) if web else None
        if listener is not None:
            _link_to(listener)
        stack.enter_context(owned(embedding.var))
        servers = stack.enter_context(started_servers(embedding))
        tree = stack.enter_context(ProcessTree(sys.stdout, is_prefixed=not settings.LOG_JSON))
        tree.finish("setup", site_parts.setup)
        site_parts.preload()
        for name in site_parts.CELERY_PARTS:
            tree.start(name, site_parts.celery_part(name))
        if listener is not None:
            tree.start("web", site_parts.web(listener))
        tree.wait_until_ready()
        announce(_address(listener))
        tree.watch(servers)


@dataclass(frozen=True)
class BackgroundSite:
    """A site that runs in its own process. `address` is empty without web."""

    address: str
    process: ForkProcess

    def wait(self, announce: Callable[[], None]) -> None:
        """Wait until Ctrl-C or SIGTERM.

        Args:
            announce: called once these signals end the wait instead of the process.

        Raises:
            InputError: the site ended first.
        """
        with contextlib.suppress(KeyboardInterrupt):
            _handle_end_signals(signal.default_int_handler)
            announce()
            self.process.join()
            raise InputError("The site ended by itself. Its log says why.")


@contextmanager
def site_processes(
    *, web: bool = True, host: str = HOST, port: int = PORT, log: Path | None = None
) -> Iterator[BackgroundSite]:
    """Run the whole site in a process of its own within the block.

    Enter it from the main thread, before torch runs: the parts are forks of this process, and torch's thread
    pools do not survive a fork.

    The options are those of ``run_site``; ``log`` is the file for the site's log, null for standard output.

    Raises:
        InputError: the site did not start; the text says why.
    """
    reader, writer = FORK.Pipe(duplex=False)
    options = {"web": web, "host": host, "port": port}
    target = (options, log, writer, tie_to_parent(signal.SIGTERM))
    process = FORK.Process(target=_run_beside, args=target, name="site")
    process.start()
    writer.close()
    try:
        yield BackgroundSite(_announced_address(reader, log), process)
    finally:
        reader.close()
        process.terminate()
        process.join()


def _announced_address(reader: "Connection[tuple[bool, str], tuple[bool, str]]", log: Path | None) -> str:
    """Wait for the site and return the address that it announces."""
    try:
        is_ready, text = reader.recv()
    except EOFError as error:
        raise InputError(f"The site did not start. See {log or 'its output above'}.") from error
    if not is_ready:
        raise InputError(text)
    return str(text)


def _run_beside(
    options: dict[str, Any],
    log: Path | None,
    writer: "Connection[tuple[bool, str], tuple[bool, str]]",
    tie: Callable[[], None],
) -> None:
    tie()
    os.setsid()  # Ctrl-C reaches only the command, which then sends us SIGTERM
    name_process("site")
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as file:
            for stream in (sys.stdout, sys.stderr):
                os.dup2(file.fileno(), stream.fileno())
    try:
        run_site(lambda address: writer.send((True, address)), **options)
    except InputError as error:
        writer.send((False, str(error)))
    except KeyboardInterrupt:
        pass


def _handle_end_signals(handler: "Callable[[int, FrameType | None], object] | signal.Handlers") -> None:
    """Set the handler of Ctrl-C and SIGTERM, even if a shell started us with Ctrl-C ignored."""
    for number in END_SIGNALS:
        signal.signal(number, handler)


def _end_once(*_: object) -> NoReturn:
    """Raise KeyboardInterrupt, and ignore further signals until the process tree handles them.

    If the parent is killed, the kernel sends its death signal once per thread of the parent: the second would
    interrupt the orderly stop.
    """
    _handle_end_signals(signal.SIG_IGN)
    raise KeyboardInterrupt


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"Cannot serve on {host}:{port}: {reason}. Choose another with --port or --host."
        ) from error


def _link_to(listener: socket.socket) -> None:
    """Make links in mails lead to the served address, unless SITE_URL names a public one or a proxy's."""
    if settings.BEHIND_PROXY or settings.SITE_HOST not in LOOPBACK:
        return
    address = urlsplit(_address(listener))
    host, port = address.hostname or "", address.port
    if host in EVERY_HOST:
        settings.SITE_URL = f"http://{settings.SITE_HOST}:{port}"
    else:
        settings.SITE_URL, settings.SITE_HOST = address.geturl(), host
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, host]


def _address(listener: socket.socket | None) -> str:
    if listener is None:
        return ""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
