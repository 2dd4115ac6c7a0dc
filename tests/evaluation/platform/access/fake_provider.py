"""An OpenID Connect server on the loopback address, whose claims about a person a test chooses.

``urlpatterns`` are the site's, with OpenID Connect and GitHub, which the test settings do not enable.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from allauth.socialaccount.providers.github import urls as github
from allauth.socialaccount.providers.openid_connect import urls as openid_connect
from django.test import Client
from django.urls import include, path

from evaluation.config import urls as site
from evaluation.platform.access.linked_accounts import guarded

handler429 = site.handler429
urlpatterns = [
    path("account/", include(guarded([*openid_connect.urlpatterns, *github.urlpatterns]))),
    *site.urlpatterns,
]
LOGIN = "/account/oidc/oidc/login/"
ORCID = "0000-0002-1825-0097"


class FakeProvider:
    """The server's address, and the claims that it makes about whoever signs in."""

    def __init__(self) -> None:
        self.claims: Any = {}
        self.url = ""
        self.answers: dict[str, Any] = {}  # by path, instead of the usual ones: JSON, or bytes as they are
        self.status = 200
        self.content_type = "application/json"

    def answer(self, path: str) -> Any:
        """The body of the answer to a request for the path."""
        if path in self.answers:
            return self.answers[path]
        if path == "/.well-known/openid-configuration":
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
            return {key: f"{self.url}/{name}" for key, name in names.items()} | {
                "issuer": self.url,
                "userinfo_endpoint": f"{self.url}/userinfo",
            }
        if path == "/token":
            return {"access_token": "a token", "token_type": "Bearer", "orcid": ORCID}
        return self.claims

    def sign_in(self, client: Client, process: str = "login", page: str = LOGIN, **claims: Any) -> Any:
        """Sign in at the provider, which makes these claims, and return the site's answer."""
        return self.sign_in_with(client, claims, process, page)

    def sign_in_with(self, client: Client, claims: Any, process: str = "login", page: str = LOGIN) -> Any:
        """Sign in at the provider, which answers with any JSON."""
        self.claims = claims
        location = client.post(f"{page}?process={process}").headers["Location"]
        (state,) = parse_qs(urlsplit(location).query)["state"]
        return client.get(f"{page}callback/", {"code": "a code", "state": state})


@contextmanager
def running_provider() -> Iterator[FakeProvider]:
    """Serve a provider until the block ends."""
    provider = FakeProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = urlsplit(self.path).path
            answer = provider.answer(path)
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(provider.status if path in provider.answers else 200)
            if provider.content_type:
                self.send_header("Content-Type", provider.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - http.server's own name

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
