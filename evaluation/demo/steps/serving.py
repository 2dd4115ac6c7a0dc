"""Runs `transformers serve` on loopback: the demo's model behind OpenAI's protocol."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from django.conf import settings

from evaluation.hosting.children import tie_to_parent
from trackside.errors import InputError

START_SECONDS = 120.0
STOP_SECONDS = 10.0
ASK_SECONDS = 5.0


@dataclass(frozen=True)
class ModelServer:
    """The server's base URL, and a function that waits until it answers or raises InputError."""

    url: str
    wait: Callable[[], None]


Serve: TypeAlias = Callable[[str], AbstractContextManager[ModelServer]]
"""Serves models within a block, at this base URL or, if it is empty, at a new one."""


@contextmanager
def served(url: str) -> Iterator[ModelServer]:
    """Start a server that loads the model folder named by a request, which need not exist yet.

    A judge stores its address, so a resumed demo serves at the same one.
    """
    url = url or f"http://127.0.0.1:{_free_port()}/v1"
    var = Path(settings.TRACKSIDE_VAR)
    hub = var / "hub"  # the server needs the folder of the hub's cache
    hub.mkdir(parents=True, exist_ok=True)
    command = [str(Path(sys.executable).with_name("transformers")), "serve"]
    with (var / "log" / "llava.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 - no external input
            [*command, "--host", "127.0.0.1", "--port", str(urlsplit(url).port), "--device", "cpu"],
            env=os.environ | {"HF_HOME": str(hub), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=tie_to_parent(signal.SIGKILL),
        )
    try:
        yield ModelServer(url, partial(_wait, url, server))
    finally:
        server.terminate()
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    address = f"{url.removesuffix('/v1')}/health"
    while True:
        if server.poll() is not None or time.monotonic() > deadline:
            raise InputError(
                f"No transformers serve answers at {url}. The file llava.log beside the site's log says why."
            )
        try:
            with urllib.request.urlopen(address, timeout=ASK_SECONDS):  # noqa: S310 - our own loopback address
                return
        except OSError:
            time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
