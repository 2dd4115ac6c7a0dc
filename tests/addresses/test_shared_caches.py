"""No shared cache stores personal pages: every answer that depends on its reader is private."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from tests.addresses.urlconf import Route, named_routes, routes
from tests.whole_site import WholeSite

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

PUBLIC = {
    "/health",
    "/live",
    "/ready",
    "/metrics",
    "/judging/worker.js",
    "/api/v1/docs",
    "/api/v1/openapi.json",
}  # the same for everybody


def is_private(answer: Answer) -> bool:
    kept = answer.headers.get("Cache-Control", "")
    return "private" in kept or "no-store" in kept


def pages(models: str) -> list[Route]:
    """The routes except signing out; of the admin's model pages those whose name begins with ``models``."""
    named = named_routes()
    of_models = [route for route in routes() if route.name not in named and route.name.startswith(models)]
    return [route for route in [*named.values(), *of_models] if not route.name.endswith("logout")]


@pytest.mark.whole
@pytest.mark.parametrize("models", ["admin:evaluation_task_", ""])
def test_answers_to_a_person_are_private(whole_site: WholeSite, models: str) -> None:
    first = whole_site.first_values
    browser, program = whole_site.client("organizer"), whole_site.program("organizer")
    shared = []
    for route in pages(models):
        if not set(route.parameters) <= first.keys():
            continue
        address = route.filled(first)
        answer = (program if address.startswith("/api/") else browser).get(address)
        b"".join(answer)  # reads files to their end
        is_refused = answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED  # of anybody
        if address not in PUBLIC and not is_refused and not is_private(answer):
            shared.append(address)
    assert shared == []


def test_page_and_its_part_for_a_script_are_different_copies(whole_site: WholeSite) -> None:
    task = whole_site.task
    browser = whole_site.client("organizer")
    answer = browser.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/report/")
    assert {"Cookie", "HX-Request"} <= {name.strip() for name in answer.headers["Vary"].split(",")}


@pytest.mark.parametrize("name", ["account_logout", "admin:logout"])
def test_signing_out_clears_the_browser_s_cache(whole_site: WholeSite, name: str) -> None:
    browser = whole_site.client("staff")
    assert "Clear-Site-Data" not in browser.get(reverse("account")).headers
    assert browser.post(reverse(name)).headers["Clear-Site-Data"] == '"cache"'


@pytest.mark.parametrize("name", ["account", "account_logout"])
def test_pages_that_end_a_session_are_not_stored(whole_site: WholeSite, name: str) -> None:
    """A browser may store them after it has cleared its cache."""
    answer = whole_site.client("assessor").get(reverse(name))
    assert "no-store" in answer.headers["Cache-Control"]
