"""Firefox for Playwright, with what the two lack together: colour scheme, medium, focus and double clicks.

Playwright starts this program in the place of Firefox, and speaks WebDriver BiDi with it. It relays each
message to Firefox, but replaces some commands by scripts that run in Firefox's own window, and sends double
clicks of its own. A message is one frame of a WebSocket.
"""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any

PRINT = "/* Firefox: show pages as printed */"  # tests evaluate it: Playwright does not send the medium
FOCUS = "/* Firefox: focus the page */"  # tests evaluate it when the window's controls have the focus
# Tests evaluate it to double-click where the mouse is: Firefox counts the clicks of one command.
DOUBLE_CLICK = "/* Firefox: double click */"
# Scripts get the command's parameters as JSON.
# Set the scheme for pages that are opened later, and for open ones.
SET_SCHEME = """params => {
    const scheme = JSON.parse(params).features["prefers-color-scheme"] ?? "none";
    const value = { dark: 0, light: 1, none: 2 }[scheme];
    Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", value);
    for (const { gBrowser } of Services.wm.getEnumerator("navigator:browser"))
        for (const { browsingContext } of gBrowser.browsers)
            browsingContext.prefersColorSchemeOverride = scheme;
}"""
SET_PRINT = """() => {
    for (const { gBrowser } of Services.wm.getEnumerator("navigator:browser"))
        for (const { browsingContext } of gBrowser.browsers) browsingContext.mediumOverride = "print";
}"""
SET_FOCUS = """() => {
    for (const { gBrowser } of Services.wm.getEnumerator("navigator:browser"))
        gBrowser.selectedBrowser.focus();
}"""
SCRIPTS = {
    b'"method":"emulation.setMediaFeaturesOverride"': SET_SCHEME,
    PRINT.encode(): SET_PRINT,
    FOCUS.encode(): SET_FOCUS,
}
MOUSE = b'"type":"pointer"'
LISTENING = b"WebDriver BiDi listening on ws://"
OWN = 10**9  # the relay's own commands have this number or a higher one; Playwright ignores their replies
CLICK = [{"type": each, "button": 0} for each in ("pointerDown", "pointerUp")]
MASK = b"mask"
TEXT = 0x81  # first byte of a frame that is a whole message of text
EXTENDED = {126: 2, 127: 8}  # bytes of a longer frame's length


class Relay:
    """The connection of one Playwright with Firefox."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.window: str | None = None
        self.pointed: dict[str, Any] = {}  # parameters of the last command that used the mouse
        self.number = OWN  # of the relay's next command
        self.asked: asyncio.Future[dict[str, Any]] | None = None  # the result of its last one

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay until one of the two disconnects."""
        name, _, port = self.host.partition(":")
        from_firefox, self.firefox = await asyncio.open_connection(name, int(port))
        lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        own = f"Host: {self.host}".encode()
        self.firefox.write(b"\r\n".join(own if each.lower().startswith(b"host:") else each for each in lines))
        writer.write(await from_firefox.readuntil(b"\r\n\r\n"))
        pumps = [self._to_firefox(reader), self._from_firefox(from_firefox, writer)]
        await asyncio.wait(map(asyncio.create_task, pumps), return_when=asyncio.FIRST_COMPLETED)
        self.firefox.close()
        writer.close()

    async def _to_firefox(self, reader: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                kind, content = await read_frame(reader)
                script = next((SCRIPTS[each] for each in SCRIPTS if each in content), None)
                if kind == TEXT and script:
                    content = await self._scripted(script, json.loads(content))
                elif kind == TEXT and MOUSE in content:
                    self.pointed = json.loads(content)["params"]
                elif kind == TEXT and DOUBLE_CLICK.encode() in content:
                    [mouse] = self.pointed["actions"]
                    mouse["actions"] = [*CLICK, *CLICK]
                    await self._ask("input.performActions", self.pointed)
                self.firefox.write(frame(kind, content, MASK))

    async def _from_firefox(self, firefox: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                kind, content = await read_frame(firefox)
                if self.asked and b'"id":%d,' % (self.number - 1) in content:
                    self.asked.set_result(json.loads(content)["result"])
                writer.write(frame(kind, content))

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a command of the relay's own."""
        ask = {"id": self.number, "method": method, "params": params}
        self.number += 1
        self.asked = asyncio.get_running_loop().create_future()
        self.firefox.write(frame(TEXT, json.dumps(ask).encode(), MASK))
        return await self.asked

    async def _scripted(self, script: str, command: dict[str, Any]) -> bytes:
        """The call of the script in the place of the command."""
        if not self.window:
            tree = await self._ask("browsingContext.getTree", {"moz:scope": "chrome"})
            self.window = tree["contexts"][0]["context"]
        params = {
            "functionDeclaration": script,
            "arguments": [{"type": "string", "value": json.dumps(command["params"])}],
            "target": {"context": self.window},
            "awaitPromise": False,
        }
        return json.dumps({"id": command["id"], "method": "script.callFunction", "params": params}).encode()


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """First byte and unmasked content of the next frame."""
    kind, length = await reader.readexactly(2)
    is_masked, length = length >> 7, length & 127
    if length in EXTENDED:
        length = int.from_bytes(await reader.readexactly(EXTENDED[length]))
    mask = await reader.readexactly(4) if is_masked else bytes(4)
    return kind, masked(await reader.readexactly(length), mask)


def frame(kind: int, content: bytes, mask: bytes = b"") -> bytes:
    """A frame; clients must mask theirs."""
    size = len(content)
    short, more = (size, 0) if size < 126 else (126, 2) if size < 2**16 else (127, 8)
    head = bytes([kind, bool(mask) << 7 | short]) + (size.to_bytes(more) if more else b"")
    return head + mask + masked(content, mask or bytes(4))


def masked(content: bytes, mask: bytes) -> bytes:
    """The content with each byte changed by the mask; again, it is the content."""
    size = len(content)
    wide = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(content) ^ int.from_bytes(wide)).to_bytes(size)


async def run(arguments: list[str]) -> int:
    """Run Firefox, the first argument, with the others, and a relay for it."""
    firefox = await asyncio.create_subprocess_exec(
        *arguments, "--remote-allow-system-access", stderr=asyncio.subprocess.PIPE
    )
    assert firefox.stderr
    async for line in firefox.stderr:
        if line.startswith(LISTENING):
            relay = Relay(line.removeprefix(LISTENING).decode().strip())
            server = await asyncio.start_server(relay.serve, "127.0.0.1", limit=2**26)
            port = server.sockets[0].getsockname()[1]
            line = b"%b127.0.0.1:%d\n" % (LISTENING, port)
        sys.stderr.buffer.write(line)
        sys.stderr.flush()
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[1:])))
