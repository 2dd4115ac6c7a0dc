"""Opens the pages that people of a site reach by links: ``python -m tests.upgrades.crawl``.

It prints the number of pages, and fails with the address of each answer that is a server error.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, deque
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import django
from django.test import Client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.models import User

LINK = re.compile(r'(?:href|src)="([^"#?]+)')
NUMBER = re.compile(r"[0-9a-f]{64}|\d+")  # or a checksum
MOST_ALIKE = 1  # addresses of one person that differ in numbers and checksums only
HOST = "127.0.0.1"


def crawl(client: Client, start: str) -> dict[str, int]:
    """Follow links within the site; return the status of each address, without its query string."""
    client.defaults["SERVER_NAME"] = HOST
    client.raise_request_exception = False
    waiting, statuses, shapes = deque([start]), {start: 0}, Counter[str]()
    while waiting:
        address = waiting.popleft()
        answer = client.get(address)
        statuses[address], content = answer.status_code, b"".join(answer)
        links = [answer.headers["Location"].partition("?")[0]] if "Location" in answer.headers else []
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            links += LINK.findall(content.decode())
        for link in links:
            target = urljoin(address, link)
            shape = NUMBER.sub("0", target)
            is_ours = target.startswith("/") and not target.startswith("/static/")
            if is_ours and target not in statuses and shapes[shape] < MOST_ALIKE:
                statuses[target] = 0
                shapes[shape] += 1
                waiting.append(target)
    return statuses


def visitors() -> Iterator[tuple[str, Client]]:
    """Yield a browser for nobody, and one for the first account of each set of roles."""
    from evaluation.models import User
    from tests.whole_site import signed_in_client

    yield "signed out", Client()
    people = {
        (person.is_superuser, *sorted({role for role, *_ in person.roles})): person
        for person in User.objects.order_by("-pk")
    }
    for kind, person in people.items():
        yield f"{person.email} {kind}", signed_in_client(person)


def crawl_api(person: User) -> dict[str, int]:
    """Read every list and object of the API whose address has a track and a task alone."""
    from evaluation.config.api import api
    from evaluation.models import Scope, Task
    from evaluation.platform.access.actions import create_token

    secret = create_token(name="crawl", scopes=list(Scope), days=1, by=person).secret
    client = Client(SERVER_NAME=HOST, headers={"Authorization": f"Bearer {secret}"})
    client.raise_request_exception = False
    paths = [path for path, methods in api.get_openapi_schema()["paths"].items() if "get" in methods]
    filled = {
        path.replace("{track}", task.track.slug).replace("{task}", task.slug)
        for task in Task.objects.select_related("track")
        for path in paths
    }
    return {path: client.get(path).status_code for path in sorted(filled) if "{" not in path}


def main() -> None:
    """Crawl the site of the settings."""
    from evaluation.models import User

    import_module("evaluation.config.wsgi")  # collects the static files that pages name
    found = {name: crawl(client, "/") for name, client in visitors()}
    staff = User.objects.filter(is_superuser=True).earliest("pk")
    found["API"] = crawl_api(staff)
    for name, statuses in found.items():
        print(
            f"{name}: {len(statuses)} addresses, {sum(status == 200 for status in statuses.values())} pages"
        )
    faults = [
        f"{status} {address} ({name})"
        for name, statuses in found.items()
        for address, status in statuses.items()
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR
    ]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    django.setup()
    main()
