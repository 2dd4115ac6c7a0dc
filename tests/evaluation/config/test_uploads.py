"""Bodies are refused by the head of their request: none is read before the sender's right is known."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from evaluation.config.api import api
from evaluation.config.uploads import SMALL, UPLOADS
from evaluation.models import Phase, Scope, Task, User
from tests.addresses.urlconf import is_of_api, named_routes, routes
from tests.evaluation.platform.web.api.conftest import address_of, program_of, secret_of
from tests.factories import make_organizer, make_task, make_team, make_team_member, make_user
from tests.whole_site import WholeSite

HUGE = 100 * 2**30  # bytes
FORM = "multipart/form-data; boundary=x"
TRACK_FILES = {"api:track_create", "track_create"}  # of at most 1 MiB, in memory

FORM_TAG = re.compile(r"<form[^>]*multipart[^>]*>")
ACTION = re.compile(r'action="([^"]+)"')


class BodyRead(Exception):
    """Somebody has read the body."""


class Body:
    """A body of which nothing may be read."""

    def read(self, *_: int) -> bytes:
        raise BodyRead

    readline = read


def send(client: Client, path: str, size: int = HUGE, content_type: str = FORM) -> HttpResponse:
    head: dict[str, Any] = {"CONTENT_LENGTH": str(size), "CONTENT_TYPE": content_type, "wsgi.input": Body()}
    answer: HttpResponse = client.generic("POST", path, **head)  # type: ignore[assignment]
    return answer


def browser_of(person: User | None) -> Client:
    """A browser with the cookie that makes Django look for its token in the form."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    if person:
        client.force_login(person)
    return client


@pytest.fixture
def task(db: None) -> Task:
    return make_task(phase=Phase.OPEN, topic_count=1, document_count=1)


def page_of(task: Task, name: str) -> str:
    kind = ["topics"] if name == "import_upload" else []
    return reverse(name, args=[task.track.slug, task.slug, *kind])


@pytest.mark.whole
def test_no_address_reads_a_large_body_of_people_without_the_right(whole_site: WholeSite) -> None:
    """Neither pages, nor the admin, nor the API, nor addresses that do not exist."""
    people = [whole_site.visitors[role] for role in ("signed-out", "visitor", "stranger")]
    browsers = [browser_of(person) for person in people]
    programs = [Client(), whole_site.program("visitor"), whole_site.program("stranger")]
    for route in routes():
        path = route.filled(dict.fromkeys(route.parameters, "1") | whole_site.first_values)
        for client in programs if route.name.startswith("api:") else browsers:
            assert send(client, path).status_code < 500, path
    assert send(Client(), "/no/such/address/").status_code == 404


@pytest.mark.parametrize("name", ["import_upload", "scores_import", "run_upload", "setup_guidelines"])
def test_page_of_an_upload_asks_for_the_right_first(task: Task, name: str) -> None:
    page = page_of(task, name)
    signed_out = send(browser_of(None), page)
    assert (signed_out.status_code, signed_out.headers["Location"].split("?")[0]) == (302, "/account/login/")
    refused = 403 if name == "run_upload" else 404
    for person in (make_user(), make_organizer(make_task().track)):
        assert send(browser_of(person), page, SMALL + 1).status_code == refused
    for missing in ("none", task.slug):
        path = page.replace(task.track.slug, "none").replace(task.slug, missing)
        assert send(browser_of(make_user()), path, SMALL + 1).status_code == 404


@pytest.mark.parametrize("name", ["import_upload", "scores_import", "run_upload", "setup_guidelines"])
def test_upload_is_read_within_its_limit_only(task: Task, name: str) -> None:
    member = make_team_member(make_team(task.track))
    client = browser_of(member if name == "run_upload" else make_organizer(task.track))
    most = UPLOADS[name].most_bytes
    with pytest.raises(BodyRead):
        send(client, page_of(task, name), most)
    answer = send(client, page_of(task, name), most + 2**20 + 1)
    assert answer.status_code == 413
    assert f"may have {most:,}. {UPLOADS[name].cure}" in answer.content.decode()


def test_form_of_texts_is_read_within_the_limits_of_its_sender(task: Task) -> None:
    person, login, account = make_user(), reverse("account_login"), reverse("account")
    with pytest.raises(BodyRead):
        send(browser_of(None), login, SMALL)
    assert send(browser_of(None), login, SMALL + 1).status_code == 302
    with pytest.raises(BodyRead):
        send(browser_of(person), account, 2_500_000)
    assert send(browser_of(person), account, 2_700_000).status_code == 413


@pytest.mark.parametrize(("rest", "scope"), [("/imports/topics", Scope.ORGANIZE), ("/runs", Scope.SUBMIT)])
def test_program_without_the_right_sends_nothing(task: Task, rest: str, scope: Scope) -> None:
    organizer, path = make_organizer(task.track), address_of(task, rest)
    member = make_team_member(make_team(task.track))
    secrets = {
        401: "unknown",
        403: secret_of(organizer, Scope.READ),
        404: secret_of(make_organizer(make_task().track), scope),
    }
    if scope is Scope.SUBMIT:
        secrets[404] = secret_of(make_user(), scope)
    for status, secret in secrets.items():
        for word in ("Bearer", "bearer"):
            answer = send(Client(headers={"Authorization": f"{word} {secret}"}), path)
            assert answer.status_code == (403 if rest == "/runs" and status == 404 else status)
            assert answer.headers["Content-Type"] == "application/problem+json"
    able = program_of(organizer if scope is Scope.ORGANIZE else member, scope)
    assert send(able, path).status_code == 413
    with pytest.raises(BodyRead):
        send(able, path, 2**21)


def test_table_has_each_operation_that_takes_a_file() -> None:
    takes_file = {
        f"api:{operation.url_name}"
        for _, router in api._routers
        for view in router.path_operations.values()
        for operation in view.operations
        if any(model.__ninja_param_source__ == "file" for model in operation.models)
    }
    assert takes_file - TRACK_FILES == {name for name in UPLOADS if name.startswith("api:")}


@pytest.mark.whole
def test_table_has_each_page_with_a_file_field(whole_site: WholeSite) -> None:
    """A file at any other address could have 2.5 MiB."""
    whole_site.enter(Phase.OPEN)
    client, found, values = whole_site.client("staff"), set(), whole_site.first_values
    paths = [route.filled(values) for name, route in named_routes().items() if not is_of_api(name)]
    topic = whole_site.first_values["topic"]
    paths.append(reverse("row_edit", args=[whole_site.task.track.slug, "topic", topic]))
    opened = [(client, path) for path in paths]
    opened.append((whole_site.client("team"), named_routes()["run_upload"].filled(values)))
    for client, path in opened:
        text = b"".join(client.get(path)).decode(errors="replace")
        for form in FORM_TAG.findall(text):
            action = ACTION.search(form)
            found.add(resolve(action[1] if action else path).view_name)
    of_pages = {name for name in UPLOADS if not is_of_api(name)}
    assert found == of_pages | {"track_create"}
