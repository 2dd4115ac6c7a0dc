"""Follow every link that a person can see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus
from typing import TYPE_CHECKING, Self
from urllib.parse import SplitResult, urljoin, urlsplit

from django.test import Client

from tests.addresses.urlconf import routes
from tests.secret_rows.words import HIDDEN_SCORE, SECRET
from tests.whole_site import WholeSite

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

HIDDEN_GRADE = 27182  # the grade of models and other assessors: off every scale, so no other number equals it

SECRETS = re.compile(
    rf"{SECRET}[-\w. ]*|\b{HIDDEN_GRADE}\b|\b{re.escape(f'{HIDDEN_SCORE:.4f}')}|\b{HIDDEN_SCORE:.0%}\b",
    re.IGNORECASE,
)

AS_SCRIPT = {"HX-Request": "true", "Accept": "application/json"}

WITH_ADDRESS = {"href", "src", "action", "formaction", "poster", "data"}

ADDRESS_IN_JSON = re.compile(r'"(/[^"\s<>]*)"')

SIGN_OUT = {"/account/logout/", "/admin/logout/"}  # these pages show nothing more


class Links(HTMLParser):
    """Collects the values of attributes that hold an address."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {each for name, each in attrs if each and (name in WITH_ADDRESS or each[0] == "/")}


def addresses_in(body: str, address: str) -> set[str]:
    """The site's URLs in an answer, in its elements and in its JSON."""
    links = Links()
    links.feed(body.replace('\\"', '"'))  # also links in pages inside JSON
    found = [urlsplit(urljoin(address, link)) for link in links.found | {*ADDRESS_IN_JSON.findall(body)}]
    return {
        each._replace(fragment="").geturl()
        for each in found
        if not each.netloc and each.path and is_way(each)
    }


def is_way(address: SplitResult) -> bool:
    """Whether to follow the URL: two nested "next" parameters start an endless chain of redirects.

    Of the page of a topic, each choice is followed alone: runs, filter, order and rank combine to very many.
    """
    is_combined = "/topics/" in address.path and address.query.count("=") > 1
    return address.query.count("next") < 2 and not is_combined


@dataclass
class Crawl:
    """The result of a crawl: statuses by URL, and every secret with its place."""

    client: Client
    within: str = "/"
    statuses: dict[str, int] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)

    def through(self, starts: list[str]) -> Self:
        """Visit the URLs, then every URL that the answers name, until none is new."""
        waiting = list(starts)
        while waiting:
            address = waiting.pop()
            is_new = address not in self.statuses and address not in SIGN_OUT
            if is_new and address.startswith(self.within):
                waiting += self.visit(address)
        return self

    def over(self, addresses: Iterable[str]) -> Self:
        """Visit the URLs and none that the answers name."""
        for address in addresses:
            if address not in SIGN_OUT:
                self.visit(address)
        return self

    def visit(self, address: str) -> set[str]:
        """Request the URL as a reader and as a script, by POST if GET is refused; return the URLs found."""
        answer = self.client.get(address)
        self.statuses[address] = answer.status_code
        found = self._read(f"GET {address}", address, answer)
        if answer.status_code == HTTPStatus.OK:
            found |= self._read(f"script {address}", address, self.client.get(address, headers=AS_SCRIPT))
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            found |= self._read(f"POST {address}", address, self.client.post(address))
            script = self.client.post(address, headers=AS_SCRIPT)
            found |= self._read(f"script POST {address}", address, script)
        return found

    def _read(self, asked: str, address: str, answer: Answer) -> set[str]:
        """Search the headers (also file names and cookies) and the body."""
        head = f"{answer.reason_phrase} {dict(answer.items())} {answer.cookies}"
        body = b"".join(answer).decode("utf-8", "replace")
        for part, text in (("header", head), ("body", body)):
            self.leaks += [f"{asked}, {part}: {found[0]}" for found in SECRETS.finditer(text)]
        onwards = urlsplit(answer.headers.get("Location", "")).path
        return addresses_in(body, address) | ({urljoin(address, onwards)} if onwards else set())


def is_of_admin(address: str) -> bool:
    return address.startswith("/admin/")


def addresses_of_api(site: WholeSite) -> list[str]:
    """Every URL of the API; for the scores also that of each topic."""
    found = [address for route in routes() for address in route.all_filled(site.values)]
    of_api = [address for address in found if address.startswith("/api/")]
    return of_api + [f"{address}?per_topic=true" for address in of_api if address.endswith("/scores")]
