"""Clients that are slow on purpose, on the loopback."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PATIENCE = 240  # seconds until a server that does not start fails the test
ANSWER_WITHIN = 30  # seconds; if slow clients hold every thread, no answer comes at all
PORTS = iter(range(20_000, 32_768))  # below those from which Linux chooses for sockets without a number
CLAIMS: list[socket.socket] = []  # until this process ends


def free_port() -> int:
    """A port that no other process takes before the server does: other tests' processes see the claim."""
    for port in PORTS:
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0trackside-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
        else:
            CLAIMS.append(claim)
            return port
    raise AssertionError("No port is free.")


def page(port: int, path: str = "/", *, source: str = "127.0.0.2", timeout: float = ANSWER_WITHIN) -> int:
    """The status of a page, requested from an address of no attacker."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))
    try:
        asking.request("GET", path, headers={"Host": "localhost"})
        answer = asking.getresponse()
        answer.read()
        return answer.status
    finally:
        asking.close()


def slow_head(port: int) -> socket.socket:
    """A connection with an unfinished request head."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    return client


def silent(port: int) -> socket.socket:
    """A connection on which nothing is ever sent."""
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def slow_body(port: int, size: int = 10_000_000) -> socket.socket:
    """A connection with an unfinished upload."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    head = (
        "POST /account/login/ HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {size}\r\n\r\na="
    )
    client.sendall(head.encode())
    return client


def silent_reader(port: int, *, source: str, path: str = "/large") -> socket.socket:
    """A connection whose large answer is never read."""
    client = socket.socket()
    client.settimeout(PATIENCE)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


@contextmanager
def held(make: object, count: int, port: int) -> Iterator[list[socket.socket]]:
    """This many connections of a kind."""
    assert callable(make)
    with ExitStack() as stack:
        yield [stack.enter_context(make(port)) for _ in range(count)]


@contextmanager
def gunicorn(environment: dict[str, str], *words: str, app: str = "evaluation.config.wsgi") -> Iterator[int]:
    """Gunicorn with the site's settings, as the containers start it; the port that it listens on."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config=python:evaluation.running.hosting.web_server"]
    with running([*command, f"--bind=127.0.0.1:{port}", *words, app], port, environment):
        yield port


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[int]:
    """Nginx with the shipped configuration in front of that port; the port that it listens on."""
    port = free_port()
    with running(nginx_command(folder, port, upstream), port, {}):
        yield port


def nginx_command(folder: Path, port: int, *upstreams: int) -> list[str]:
    """Write the shipped configuration with these ports; return the command that starts nginx with it."""
    shipped = Path(__file__).parents[2].joinpath("docker/nginx.conf").read_text()
    servers = "\n".join(f"server 127.0.0.1:{upstream};" for upstream in upstreams)
    text = shipped.replace("server web:8000;", servers)
    text = text.replace("listen 8080 ", f"listen 127.0.0.1:{port} ").replace("/tmp/nginx", f"{folder}/nginx")
    assert text.count(str(port)) == text.count(f"127.0.0.1:{upstreams[0]}") == 1
    (folder / "nginx.conf").write_text(text)
    directives = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", directives]


@contextmanager
def running(command: list[str], port: int, environment: dict[str, str]) -> Iterator[None]:
    """A server's process, from its first accepted connection to its end."""
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while process.poll() is None and time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            else:
                raise AssertionError(f"{command[0]} did not start.")
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)
