"""An assessor reaches nothing of another one: no assignment, item, judgment, comment or adjudication."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from assessment.models import Assignment, Judgment, Remark, TrainingReply
from evaluation.models import Phase
from tests.addresses.urlconf import Route, is_of_api, named_routes
from tests.permissions.permission_table import address_rows
from tests.secret_rows.words import SECRET
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

SCRIPT = {"Accept": "application/json"}
PHASES = [Phase.OPEN, Phase.JUDGING, Phase.RELEASED]


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    whole_site.enter(Phase.JUDGING)
    return whole_site


def routes_of_judging(*, of_assignment: bool) -> list[tuple[str, Route]]:
    """The methods and URLs of the app; below an assignment, or below a task without the training."""
    found = [(row.method, named_routes()[row.name]) for row in address_rows() if not is_of_api(row.name)]
    return list(
        {
            (method, route.name): (method, route)
            for method, route in found
            if route.view_name.startswith("assessment.")
            and ("assignment" in route.parameters and "track" not in route.parameters) is of_assignment
        }.values()
    )


def of_colleague(site: WholeSite) -> dict[str, list[dict[str, Any]]]:
    """All rows of the other assessor."""
    person = site.signed_in("colleague").pk
    models: tuple[type[Model], ...] = (Assignment, Judgment, Remark, TrainingReply)
    return {
        model.__name__: list(model._default_manager.filter(assessor=person).order_by("pk").values())
        for model in models
    }


def form(site: WholeSite, **changes: Any) -> dict[str, Any]:
    """A form that every page of judging accepts on an own item, and that names the colleague's rows."""
    theirs = Judgment.objects.filter(assessor=site.signed_in("colleague")).order_by("pk")[0]
    sent = {
        "client_uuid": uuid.uuid4(),
        "undoes": theirs.client_uuid,
        "criteria_version": 1,
        "shown_at": timezone.now().isoformat(),
        "image_sha256": "",
        "grade": 1,
        "comment": "crossed",
        "is_held": "1",
        "what": "reassign",
        "to": site.signed_in("assessor").pk,
        "pool": site.first_values["pool"],
        "rule": "owner",
    }
    return sent | changes


def asked(client: Client, method: str, address: str, sent: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The answers to a browser and to the screen's script."""
    for headers in ({}, SCRIPT):
        if method == "GET":
            answer = client.get(address, headers=headers)
        else:
            answer = client.post(address, sent, headers=headers)
        yield answer.status_code, b"".join(answer).decode(errors="replace")


@pytest.mark.parametrize("phase", PHASES)
def test_no_url_below_another_assessor_s_assignment_answers(site: WholeSite, phase: Phase) -> None:
    site.enter(phase)
    client, before, sent = site.client("assessor"), of_colleague(site), form(site)
    theirs = [row["id"] for row in before["Assignment"]]
    routes = routes_of_judging(of_assignment=True)
    assert len(routes) >= 12
    assert len(theirs) == 2
    for method, route in routes:
        for assignment in theirs:
            for place in (1, 2, 3):
                address = route.filled({"assignment": assignment, "place": place, "wall": place})
                absent = client.get("/no-such-page/").content.decode()
                for status, text in asked(client, method, address, sent):
                    assert (status, text) == (404, absent), f"{method} {address}"
    assert of_colleague(site) == before


def test_no_url_of_organizers_shows_an_assessor_another_one_s_work(site: WholeSite) -> None:
    client, before, sent = site.client("assessor"), of_colleague(site), form(site)
    own = {"judging_list", "judging_worker", "items_take"}
    routes = [
        (method, route)
        for method, route in routes_of_judging(of_assignment=False)
        if route.name not in own and not route.name.startswith("training")
    ]
    assert len(routes) > 20
    for method, route in routes:
        for assignment in site.values["assignment"]:
            address = route.filled(site.first_values | {"assignment": assignment})
            for status, text in asked(client, method, address, sent):
                assert status == 404, f"{method} {address}"
                assert SECRET not in text
    assert of_colleague(site) == before


def test_events_of_another_assessor_are_neither_undone_nor_confirmed_on_an_own_item(site: WholeSite) -> None:
    client, before = site.client("assessor"), of_colleague(site)
    own = {"assignment": site.first_values["assignment"], "place": 1}
    mine = Judgment.objects.filter(assessor=site.signed_in("assessor"))
    mine_before = list(mine.values())
    for name, rows, moment in (
        ("judgment_record", "Judgment", "judged_at"),
        ("judgment_undo", "Judgment", "judged_at"),
        ("remark_record", "Remark", "made_at"),
    ):
        address = named_routes()[name].filled(own)
        for event in before[rows]:
            crossed = {"client_uuid": event["client_uuid"], "undoes": event["client_uuid"]}
            for status, text in asked(client, "POST", address, form(site, **crossed)):
                assert status in (302, 409), f"{address} {status}"
                assert SECRET not in text
                assert event[moment].isoformat() not in text
    assert list(mine.values()) == mine_before
    assert of_colleague(site) == before


@pytest.mark.parametrize("role", ["assessor", "colleague"])
def test_lists_name_only_own_assignments(site: WholeSite, role: str) -> None:
    client = site.client(role)
    own = set(Assignment.objects.filter(assessor=site.signed_in(role)).values_list("pk", flat=True))
    page = client.get("/judging/").content.decode()
    shown = {pk for pk in Assignment.objects.values_list("pk", flat=True) if f'"/judging/{pk}/' in page}
    assert shown == own
