"""An organizer who sends another track's keys to URLs of their own track reads and changes nothing."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Phase, Run, Task
from evaluation.platform.web.api.gone import GONE
from tests.addresses.urlconf import Route, is_of_api, named_routes
from tests.factories import dates_of, make_pool, make_qrels, make_run, make_task
from tests.permissions.permission_table import address_rows, footprint, posts
from tests.secret_rows.words import SECRET
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

OWN = {"track", "task"}
# Words of another track. The stranger's own track is "elsewhere"; a judge and a prompt are the whole site's.
FOREIGN = re.compile(rf"{SECRET}(?! elsewhere|/model|-judge\b|-prompt\b).*", re.IGNORECASE)
# The names of keys in the forms of all pages; each is sent to every URL.
KEYS = (
    "run",
    "runs",
    "pool",
    "qrels",
    "reference",
    "team",
    "member",
    "assessor",
    "user",
    "job",
    "task",
    "collection",
)


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


@pytest.fixture
def own_task(site: WholeSite) -> Task:
    """A task in judging that the stranger organizes."""
    track = site.signed_in("stranger").memberships.get().track
    return make_task(track, phase=Phase.JUDGING, topic_count=1, document_count=1)


def own_values(site: WholeSite, task: Task) -> dict[str, object]:
    """The stranger's own track and task, and every other key of the whole site's."""
    return site.first_values | {"track": task.track.slug, "task": task.slug}


def foreign_body(site: WholeSite) -> dict[str, Any]:
    """A form that names rows of the whole site's track under every name."""
    run = Run.objects.get(pk=str(site.first_values["run"]))
    keys = {
        "run": run.pk,
        "pool": site.first_values["pool"],
        "qrels": site.first_values["qrels"],
        "team": run.team_id,
        "assessor": site.signed_in("assessor").pk,
        "job": site.first_values["job"],
        "task": site.task.pk,
        "collection": site.task.collection_id,
    }
    same = {"runs": "run", "reference": "qrels", "member": "assessor", "user": "assessor"}
    return {name: keys[same.get(name, name)] for name in KEYS} | {"name": "crossed", "reason": "crossed"}


def client_for(site: WholeSite, route: Route) -> Client:
    return site.program("stranger") if is_of_api(route.name) else site.client("stranger")


def send(client: Client, address: str, body: dict[str, Any]) -> tuple[int, str]:
    with transaction.atomic():
        answer = client.post(address, body)
    return answer.status_code, answer.content.decode(errors="replace") if not answer.streaming else ""


def test_keys_of_another_track_below_their_own_are_absent(
    site: WholeSite, own_task: Task, subtests: pytest.Subtests
) -> None:
    before, values, body = footprint(site.task), own_values(site, own_task), foreign_body(site)
    crossed = [route for route in posts() if set(route.parameters) - OWN - {"kind", "form", "place"}]
    assert len(crossed) > 10
    for route in crossed:
        with subtests.test(route.name):
            status, _ = send(client_for(site, route), route.filled(values), body)
            assert status == (410 if route.name.removeprefix("api:") in GONE else 404)
    assert footprint(site.task) == before


def test_forms_of_their_own_track_refuse_keys_of_another(
    site: WholeSite, own_task: Task, subtests: pytest.Subtests
) -> None:
    before, values, body = footprint(site.task), own_values(site, own_task), foreign_body(site)
    own = [route for route in posts() if set(route.parameters) <= OWN | {"kind"}]
    assert len(own) > 5
    for route in own:
        with subtests.test(route.name):
            status, text = send(client_for(site, route), route.filled(values), body)
            assert status < 500
            assert not FOREIGN.search(text)
    assert footprint(site.task) == before


@pytest.mark.whole
@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.RELEASED])
def test_pages_of_their_own_track_show_no_row_of_another(
    site: WholeSite, own_task: Task, phase: Phase, subtests: pytest.Subtests
) -> None:
    """A page that forgets to filter by its track or task lists the other track's rows."""
    Task.objects.update(**dates_of(phase))
    make_qrels(own_task, pool=make_pool(own_task, runs=[make_run(own_task)]))
    values = own_values(site, own_task)
    names = {row.name for row in address_rows() if row.method == "GET"}
    own = [
        route
        for name, route in named_routes().items()
        if name in names and "track" in route.parameters and set(route.parameters) <= OWN | {"kind", "form"}
    ]
    assert len(own) > 30
    for route in own:
        with subtests.test(route.name):
            address = route.filled(values)
            answer = client_for(site, route).get(address)
            found = FOREIGN.search(b"".join(answer).decode(errors="replace").replace(address, ""))
            assert not found, found


@pytest.mark.whole
@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.JUDGING])
@pytest.mark.parametrize("role", ["rival", "visitor", "signed-out"])
def test_keys_of_another_team_change_nothing(
    site: WholeSite, role: str, phase: Phase, subtests: pytest.Subtests
) -> None:
    """A team's link is left out: everybody who has it was invited."""
    site.enter(phase)
    before, body = footprint(site.task), foreign_body(site)
    crossed = [route for route in posts() if set(route.parameters) - OWN - {"kind", "form", "place", "link"}]
    for route in crossed:
        with subtests.test(route.name):
            client = site.program(role) if is_of_api(route.name) else site.client(role)
            status, _ = send(client, route.filled(site.first_values), body)
            refusals = {410} if route.name.removeprefix("api:") in GONE else {302, 401, 403, 404, 405}
            assert status in refusals
            assert footprint(site.task) == before


@pytest.mark.whole
@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace"])
def test_other_methods_change_nothing(site: WholeSite, method: str, subtests: pytest.Subtests) -> None:
    """Django's generic views take a PUT as a POST: without a form it changes nothing."""
    site.enter(Phase.JUDGING)
    before = footprint(site.task)
    for name, route in named_routes().items():
        if "logout" in name:
            continue
        with subtests.test(name):
            client = site.program("organizer") if is_of_api(name) else site.client("organizer")
            with transaction.atomic():
                status = getattr(client, method)(route.filled(site.first_values)).status_code
            assert status < 500
    assert footprint(site.task) == before
