"""GET and HEAD of any URL queue no work and write only rows about the visit itself.

The report is current, because a zip is packed of a current report only.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Phase, Report
from evaluation.organizing.pages import home as home_pages
from evaluation.results.reports.inputs import gather_inputs
from evaluation.tracks.work.queueing import enqueue
from tests.addresses.urlconf import routes
from tests.whole_site import ROLES, WholeSite
from trackside.rates import RateLimit
from trackside.reporting.design import Choice

pytestmark = pytest.mark.django_db

WRITES = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|COPY) \"?(\w+)\"?", re.IGNORECASE)
# The session; for programs the rate meter and the token's last use. Allauth counts a HEAD as an attempt at
# the form, and records that recovery codes were shown.
OF_THE_VISIT = {
    "cache",
    "django_session",
    "evaluation_ratemeter",
    "evaluation_token",
    "mfa_authenticator",
}


class Effects:
    """The tables that statements wrote to, and how many messages wait for the commit."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self.messages = 0

    def __call__(self, execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        text = sql if isinstance(sql, str) else sql.as_string()
        if not text.lstrip().upper().startswith("SELECT"):
            self.tables |= set(WRITES.findall(text))
        return execute(sql, *rest)


@contextmanager
def effects() -> Iterator[Effects]:
    """Note what is written and queued, and undo it."""
    noted = Effects()
    with transaction.atomic(), connection.execute_wrapper(noted):
        before = len(connection.run_on_commit)
        yield noted
        noted.messages = len(connection.run_on_commit) - before
        transaction.set_rollback(True)


def effects_of(client: Client, method: str, address: str) -> str:
    """What the request did, in words; empty if nothing."""
    with effects() as noted:
        answer = getattr(client, method)(address)
        b"".join(answer)
    written = sorted(noted.tables - OF_THE_VISIT)
    return f"{method} {address}: {written}, {noted.messages} messages" if written or noted.messages else ""


@pytest.fixture
def site(whole_site: WholeSite, settings: Settings) -> WholeSite:
    settings.RATES = settings.RATES | {"api": RateLimit(10**6, 60), "bundle": RateLimit(10**6, 60)}
    inputs = gather_inputs(task=whole_site.task, choice=Choice())
    assert inputs
    Report.objects.filter(task=whole_site.task).update(inputs_sha256=inputs.sha256)
    return whole_site


def addresses_of(site: WholeSite) -> list[str]:
    found = [address for route in routes() for address in route.all_filled(site.values)]
    return [address for address in dict.fromkeys(found) if "logout" not in address]


@pytest.mark.whole
@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.RELEASED])
def test_reading_writes_and_queues_nothing(site: WholeSite, phase: Phase, method: str) -> None:
    site.enter(phase)
    browsers, programs = site.clients(), site.programs()
    done = [
        f"{role} {done}"
        for role in ROLES
        for address in addresses_of(site)
        if (
            done := effects_of((programs if address.startswith("/api/") else browsers)[role], method, address)
        )
    ]
    assert done == []


def test_the_zip_of_a_current_report_is_not_packed_by_reading(site: WholeSite) -> None:
    """The quick part of the crawl: it fails while a GET of the zip queues its packing."""
    page = reverse("report_bundle", args=[site.task.track.slug, site.task.slug])
    api = reverse("api:report_bundle", args=[site.task.track.slug, site.task.slug])
    for client, address in ((site.client("organizer"), page), (site.program("organizer"), api)):
        assert effects_of(client, "get", address) == ""
        assert client.get(address).status_code == 409


def test_a_page_that_queues_work_is_found(site: WholeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: Any = vars(home_pages)["render"]

    def queue_and_render(*given: Any) -> Any:
        enqueue("evaluation.check_run", 1)
        site.task.save()
        return shown(*given)

    monkeypatch.setattr(home_pages, "render", queue_and_render)
    done = effects_of(site.client("visitor"), "get", "/")
    assert "evaluation_task" in done
    assert "1 messages" in done
