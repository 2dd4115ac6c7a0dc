"""Every URL and model answer each role in each phase as permissions.txt and visible_rows.txt define."""

from __future__ import annotations

from collections import Counter
from copy import copy
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from evaluation.models import Phase
from tests.addresses.urlconf import is_of_api, named_routes
from tests.marks import quick_only
from tests.permissions.permission_table import OUTSIDE, PHASES, Askers, Row, address_rows, visible_rows
from tests.whole_site import ROLES, WholeSite, word_of

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

ABSENT = {
    "track": "no-such-track",
    "task": "no-such-task",
    "run": 999_999_999,
    "team": 999_999_999,
    "member": 999_999_999,
    "assignment": 999_999_999,
    "place": 999_999_999,
    "qrels": 999_999_999,
    "job": 999_999_999,
    "pool": 999_999_999,
    "number": 999_999_999,
    "table": "no-such-table",
    "figure": "no-such-figure",
    "section": "no-such-section",
    "sha256": "0" * 64,
}


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


@pytest.fixture
def askers(site: WholeSite) -> Askers:
    return Askers(site.clients(), site.programs())


SHOWN_ONCE = "recovery-codes/"


def ask(client: Client, method: str, address: str) -> Answer:
    """The answer; what a POST, or a page shown once, does to the database is undone. The API gets a file."""
    if method == "GET" and SHOWN_ONCE not in address:
        answer = client.get(address)
        b"".join(answer)  # to its end, which closes the file it may come from
        return answer
    cookies = copy(client.cookies)
    with transaction.atomic():
        if method == "GET":
            answer = client.get(address)
            transaction.set_rollback(True)
            return answer
        is_for_programs = address.startswith("/api/")
        answer = client.post(address, {"file": ContentFile(b"T1", "a.run")} if is_for_programs else {})
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def every_role(rows: list[Row]) -> list[tuple[Row, str]]:
    return [(row, role) for row in rows for role in ROLES]


def one_role_per_answer(rows: list[Row]) -> list[tuple[Row, str]]:
    """One role for each different answer of a row: the role asked least so far, so that each has its turn."""
    times = dict.fromkeys(ROLES, 0)
    chosen = []
    for row in rows:
        for answer in sorted(set(row.answers.values())):
            role = min((role for role in ROLES if row.answers[role] == answer), key=times.__getitem__)
            times[role] += 1
            chosen.append((row, role))
    return chosen


def check_answers(asked: list[tuple[Row, str]], site: WholeSite, askers: Askers) -> None:
    found = named_routes()
    answers = {
        (row.method, row.name, role): word_of(
            ask(askers.of(role, row.name), row.method, found[row.name].filled(site.first_values))
        )
        for row, role in asked
    }
    assert answers == {(row.method, row.name, role): row.answers[role] for row, role in asked}


def rows_in(phase: Phase) -> list[Row]:
    return [row for row in address_rows() if phase in row.phases]


def rows_outside() -> list[Row]:
    return [row for row in address_rows() if not row.phases]


def test_addresses_answer_a_role_of_each_kind_as_in_the_table(site: WholeSite, askers: Askers) -> None:
    site.enter(Phase.JUDGING)
    check_answers(one_role_per_answer(rows_in(Phase.JUDGING) + rows_outside()), site, askers)


def test_sample_has_every_address_answer_and_role() -> None:
    rows = rows_in(Phase.JUDGING)
    sample = one_role_per_answer(rows)
    assert {(row.method, row.name, row.answers[role]) for row, role in sample} == {
        (row.method, row.name, answer) for row in rows for answer in row.answers.values()
    }
    times = Counter(role for _, role in sample)
    assert min(times[role] for role in ROLES) > len(rows) / 10


@pytest.mark.whole
@pytest.mark.parametrize("phase", PHASES)
def test_addresses_of_tasks_answer_each_role_as_in_the_table(
    site: WholeSite, askers: Askers, phase: Phase
) -> None:
    site.enter(phase)
    check_answers(every_role(rows_in(phase)), site, askers)


@pytest.mark.whole
def test_addresses_outside_tasks_answer_each_role_as_in_the_table(site: WholeSite, askers: Askers) -> None:
    check_answers(every_role(rows_outside()), site, askers)


def test_table_has_every_address_in_every_phase_once() -> None:
    lines = [(row.method, row.name, phase) for row in address_rows() for phase in row.phases or [OUTSIDE]]
    assert len(lines) == len(set(lines))
    assert {name for _, name, _ in lines} == set(named_routes())
    for method, name in {(method, name) for method, name, _ in lines}:
        phases = {phase for *line, phase in lines if line == [method, name]}
        assert phases in ({OUTSIDE}, set(PHASES)), f"{method} {name}"


@pytest.mark.whole
def test_table_has_every_method_of_every_address(site: WholeSite, askers: Askers) -> None:
    """A view that refuses a method lists the allowed ones, to roles that reach the view."""
    lines = {(row.method, row.name) for row in address_rows()}
    for name, route in named_routes().items():
        for role in ("organizer", "assessor"):
            refused = askers.browsers[role].patch(route.filled(site.first_values))
            if refused.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
                methods = {"GET", "POST"}.intersection(refused.headers["Allow"].split(", "))
                assert methods == {method for method, named in lines if named == name}, name


@pytest.mark.whole
@pytest.mark.parametrize("phase", [Phase.DRAFT, Phase.JUDGING])
@pytest.mark.parametrize("role", ["visitor", "assessor", "team"])
def test_what_is_embargoed_looks_like_what_is_absent(
    site: WholeSite, askers: Askers, phase: Phase, role: str
) -> None:
    """Bytes and headers are equal, whichever part of the URL names a missing row."""
    site.enter(phase)
    nowhere = {
        False: askers.browsers[role].get("/no-such-page/").content,
        True: askers.programs[role].get("/api/v1/no-such-thing").content,
    }
    embargoes = [row for row in address_rows() if phase in row.phases and row.answers[role] == "404"]
    for row in embargoes:
        route = named_routes()[row.name]
        client = askers.of(role, row.name)
        embargoed = ask(client, row.method, route.filled(site.first_values))
        assert embargoed.content == nowhere[is_of_api(row.name)]
        for parameter in set(route.parameters) & set(ABSENT):
            values = site.first_values | {parameter: ABSENT[parameter]}
            absent = ask(client, row.method, route.filled(values))
            assert (absent.content, absent.headers) == (embargoed.content, embargoed.headers)
    assert len(embargoes) > 10


@pytest.fixture(scope="module")
def row_counts(kept_whole_site: WholeSite, django_db_blocker: DjangoDbBlocker) -> dict[str, int]:
    """How many rows the site has of each model with permissions, by label; no model without rows."""
    with django_db_blocker.unblock():
        counts = {
            model._meta.label_lower: model._default_manager.count()
            for model in apps.get_models()
            if hasattr(model._default_manager, "visible_to")
        }
    return {label: count for label, count in counts.items() if count}


@pytest.mark.parametrize("role", quick_only(ROLES, quick=["visitor", "assessor", "team", "organizer"]))
@pytest.mark.parametrize("phase", quick_only(PHASES, quick=[Phase.JUDGING, Phase.RELEASED]))
def test_models_show_each_role_the_rows_of_the_table(
    site: WholeSite, row_counts: dict[str, int], phase: Phase, role: str
) -> None:
    site.enter(phase)
    person = site.visitors[role] or AnonymousUser()
    shown = {label: apps.get_model(label)._default_manager.visible_to(person).count() for label in row_counts}
    words = {
        label: "all" if shown[label] == count else "some" if shown[label] else "-"
        for label, count in row_counts.items()
    }
    assert words == visible_rows(phase, role)
