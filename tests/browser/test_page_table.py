"""tests/browser/pages.txt leaves no page out."""

from http import HTTPStatus

import pytest
from django.test import Client

from tests.addresses.urlconf import Route, routes
from tests.browser.visits import MODEL_PAGE, model_pages, visits
from tests.whole_site import WholeSite, make_whole_site

pytestmark = pytest.mark.whole

READERS = ("staff", "assessor", "team", "signed-out")  # together they open every page


def is_page(route: Route, site: WholeSite, clients: dict[str, Client]) -> bool:
    """Whether any reader gets a whole HTML page at the URL; fragments and downloads do not count."""
    answers = (clients[role].get(route.filled(site.first_values)) for role in READERS)
    return any(
        answer.status_code == HTTPStatus.OK
        and b"".join(answer).lstrip()[:14].lower() == b"<!doctype html"
        and "attachment" not in answer.headers.get("Content-Disposition", "")
        for answer in answers
    )


@pytest.mark.django_db
def test_table_names_every_page() -> None:
    site = make_whole_site()
    clients = site.clients()
    named = [route for route in routes() if route.name]
    found = {
        route.name
        for route in named
        if not MODEL_PAGE.fullmatch(route.name) and is_page(route, site, clients)
    }
    assert {visit.name for visit in visits() if not visit.name.startswith("/")} == found
    of_models = {match["page"] for route in named if (match := MODEL_PAGE.fullmatch(route.name))}
    assert set(model_pages()) == of_models
