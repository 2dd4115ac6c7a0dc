"""No URL answers 500 to values that no page offers, such as huge numbers and NUL bytes."""

from copy import copy

import pytest
from django.contrib import admin
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase
from evaluation.platform.web.api.gone import GONE
from tests.addresses.urlconf import Route, named_routes
from tests.marks import quick_only
from tests.permissions.permission_table import Askers, address_rows
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

HUGE = 10**30  # no bigint
VALUES = ("\0", str(HUGE), "-1", "é\u202e" + "x" * 3000, "9" * 5000)  # the last is no int of Python
# Names of the query parameters and form fields of all pages.
NAMES = (
    *("act", "active_seconds", "after", "answers", "assessor", "backbone", "before", "client_uuid"),
    *("columns", "comment", "criteria_version", "description", "docno", "email", "emails", "endpoint"),
    *("explanation", "family", "fields", "form", "grade", "image_sha256", "instructions", "is_flagged"),
    *("item", "job", "judge", "kind", "level", "login", "mapping", "measure", "measures", "member"),
    *("model", "name", "names", "next", "number", "of", "offset", "page", "password1", "person", "pool"),
    *("preset", "prompt", "q", "qrels", "reason", "reference", "replaces", "replies", "reply_quality"),
    *("role", "rule", "run", "runs", "seed", "show", "shown_at", "slug", "sort", "source", "state"),
    *("task_name", "team", "text", "to", "token", "topic", "topics", "type", "undoes", "use", "user"),
    *("way", "what", "words"),
)


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    whole_site.enter(Phase.JUDGING)
    return whole_site


def asked(method: str) -> list[Route]:
    """The addresses that take the method."""
    names = dict.fromkeys(row.name for row in address_rows() if row.method == method)
    return [named_routes()[name] for name in names]


@pytest.fixture
def askers(site: WholeSite) -> Askers:
    roles = ("assessor", "organizer")
    return Askers({role: site.client(role) for role in roles}, {role: site.program(role) for role in roles})


def client_for(askers: Askers, route: Route) -> Client:
    role = "assessor" if route.name.startswith(("judging", "judgment")) else "organizer"
    return askers.of(role, route.name)


def status(client: Client, method: str, address: str, sent: dict[str, str]) -> int:
    """The status of the answer; what the request does to the database and to the browser is undone."""
    cookies = copy(client.cookies)
    with transaction.atomic():
        if method == "GET":
            answer = client.get(address, sent)
            b"".join(answer)
        else:
            files = {"file": ContentFile(b"T1", "a.run")} if address.startswith("/api/") else {}
            answer = client.post(address, sent | files)  # files beside texts
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer.status_code


@pytest.mark.parametrize("method", quick_only(["GET", "POST"], quick=["GET"]))
@pytest.mark.parametrize(
    "value", quick_only(VALUES, quick=["\0"]), ids=["nul", "huge", "negative", "long", "digits"]
)
def test_addresses_answer_odd_values_of_every_field(
    site: WholeSite, askers: Askers, method: str, value: str, subtests: pytest.Subtests
) -> None:
    for route in asked(method):
        with subtests.test(route.name):
            address = route.filled(site.first_values)
            assert status(client_for(askers, route), method, address, dict.fromkeys(NAMES, value)) < 500


def test_addresses_with_numbers_that_no_row_can_have_are_absent(
    site: WholeSite, askers: Askers, subtests: pytest.Subtests
) -> None:
    for method in ("GET", "POST"):
        for route in asked(method):
            for name in route.parameters:
                if str(site.first_values[name]).isdigit():
                    with subtests.test(f"{method} {route.name} {name}"):
                        address = route.filled(site.first_values | {name: HUGE})
                        expected = {410} if route.name.removeprefix("api:") in GONE else {302, 403, 404}
                        assert status(client_for(askers, route), method, address, {}) in expected


@pytest.mark.parametrize(
    "address",
    [
        "/admin/evaluation/image/%00/change/",
        "/admin/evaluation/blob/?pk=%00",
        "/admin/evaluation/task/?kind=%00",
        "/api/v1/tracks?offset=%00",
        "/?q=%00",
    ],
)
def test_nul_in_an_address_is_refused(site: WholeSite, address: str) -> None:
    client = site.program("organizer") if address.startswith("/api/") else site.client("staff")
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("year", quick_only(["-1", "0", "10000", str(HUGE), "x"], quick=["-1"]))
@pytest.mark.parametrize("lookup", ["year", "year__gte", "iso_year"])
def test_admin_refuses_years_that_no_date_has(site: WholeSite, lookup: str, year: str) -> None:
    client = site.client("staff")
    assert client.get("/admin/evaluation/pool/", {f"created_at__{lookup}": year}).status_code in (302, 400)


@pytest.mark.parametrize("lookup", ["name__regex", "name__iregex", "track__name__regex"])
def test_admin_refuses_regular_expressions(site: WholeSite, lookup: str) -> None:
    assert site.client("staff").get("/admin/evaluation/task/", {lookup: "("}).status_code in (302, 400)


@pytest.mark.parametrize("key", quick_only(["x", "-1", str(HUGE), "9" * 5000], quick=["x"]))
def test_admin_refuses_actions_on_keys_that_no_row_has(
    site: WholeSite, key: str, subtests: pytest.Subtests
) -> None:
    client = site.client("staff")
    sent = {"action": "delete_selected", "_selected_action": key, "post": "yes"}
    for model in admin.site._registry:
        with subtests.test(model.__name__):
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            with transaction.atomic():
                assert client.post(address, sent).status_code in (200, 302, 400, 403)
