"""Debian's Firefox, driven by its remote protocol Marionette without a driver program.

A message is its length, a colon and JSON: [0, number, command, parameters]. Its answer is [1, number, error,
result].
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 30  # seconds for the start, and for what a page should show
PROGRAMS = ("firefox-esr", "firefox")
# How much wider and higher the window is than the place of its page.
BARS = """const place = gBrowser.tabpanels;
return [outerWidth - place.clientWidth, outerHeight - place.clientHeight]"""


class Firefox:
    """One window of a running Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._file = connection.makefile("rwb")
        self._count = 0
        self._receive()  # its greeting
        self._ask("WebDriver:NewSession", capabilities={})

    def open(self, address: str) -> None:
        """Go to the address, and wait until it is loaded."""
        self._ask("WebDriver:Navigate", url=address)

    def resize(self, width: int, height: int) -> None:
        """Resize the page, also below the least width of a window, 500 px."""
        self._ask("Marionette:SetContext", value="chrome")
        bars = self.run(BARS)
        self.run(f"gBrowser.selectedBrowser.style.maxWidth = '{width}px'")
        self._ask("Marionette:SetContext", value="content")
        self._ask("WebDriver:SetWindowRect", width=width + bars[0], height=height + bars[1])
        self.wait_for("return [innerWidth, innerHeight]", [width, height])

    def add_cookie(self, name: str, value: str) -> None:
        """Set a cookie of the site that is shown."""
        self._ask("WebDriver:AddCookie", cookie={"name": name, "value": value})

    def run(self, script: str) -> Any:
        """Run the body of a function in the page, and return what it returns."""
        return self._ask("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def press(self, key: str) -> None:
        """Press and release a key."""
        both = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": both}])

    def choose_file(self, selector: str, file: Path) -> None:
        """Choose a file in the input that the CSS selector finds."""
        found = self._ask("WebDriver:FindElement", using="css selector", value=selector)["value"]
        self._ask("WebDriver:ElementSendKeys", id=next(iter(found.values())), text=str(file))

    def wait_for(self, script: str, wanted: Any) -> None:
        """Wait until the script returns this."""
        end = time.monotonic() + PATIENCE
        while (found := self.run(script)) != wanted:
            assert time.monotonic() < end, f"{script}: {found!r}, not {wanted!r}"
            time.sleep(0.05)

    def _ask(self, command: str, **parameters: Any) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, parameters]).encode()
        self._file.write(b"%d:%b" % (len(message), message))
        self._file.flush()
        _, _, error, result = self._receive()
        assert error is None, f"{command}: {error}"
        return result

    def _receive(self) -> Any:
        length = b""
        while (character := self._file.read(1)) != b":":
            length += character
        return json.loads(self._file.read(int(length)))


def firefox_program() -> str | None:
    """The path of Firefox; None if the machine has none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def running_firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """Run headless Firefox with a new profile."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    command = [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
    process = subprocess.Popen(
        [*command, "--profile", str(profile)],
        env=os.environ | {"HOME": str(profile)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with closing(_connected(port)) as connection:
            yield Firefox(connection)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.settimeout(PATIENCE)
            return connection
        time.sleep(0.1)
    raise TimeoutError(f"Firefox did not start within {PATIENCE} s.")
