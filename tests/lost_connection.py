"""A live server without a connection. Firefox's service workers ignore Playwright's switch."""

from http.server import BaseHTTPRequestHandler
from typing import Any

from pytest_django.live_server_helper import LiveServer


def cut(server: LiveServer) -> None:
    """Refuse new connections, and hang up at the next request of those that are open."""
    server.thread.httpd.__dict__["verify_request"] = lambda *_: False
    _handler(server).parse_request = _hang_up


def reconnect(server: LiveServer) -> None:
    """Answer again; the server of later tests must not stay cut if a test fails."""
    if server.thread.httpd.__dict__.pop("verify_request", None):
        del _handler(server).parse_request


def _handler(server: LiveServer) -> Any:
    return server.thread.httpd.RequestHandlerClass


def _hang_up(handler: BaseHTTPRequestHandler) -> bool:
    handler.close_connection = True
    return False
