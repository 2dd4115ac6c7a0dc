"""An assessor sees nothing of runs, teams, models or other assessors, at any URL in any phase."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.http import HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import reverse

from assessment.judging import pages as judging_content
from assessment.models import Feedback
from evaluation.models import Phase, Task, User
from tests.addresses.urlconf import routes
from tests.permissions.crawl import HIDDEN_GRADE, Crawl, addresses_of_api, is_of_admin
from tests.secret_rows.words import HIDDEN_SCORE, SECRET
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

# Names of the rival's runs, team and account, the docnos in its file, announcements and answers to all teams.
OF_RIVAL = re.compile(
    rf"{SECRET}(-team-rival|-tag-(other|withdrawn)|[- ]rival|-docno| description of (other|withdrawn)"
    r"|-announcement|-public-inquiry|-suggestion|-backbone|-reply)",
    re.IGNORECASE,
)
# What follows SECRET in the planted words, by kind, and the pages on which organizers read them.
KINDS = (
    "-tag-accepted",
    " description",
    "-tag-accepted.run",
    "-docno",
    "-team-own",
    "-family",
    "-pool",
    "-people",
    "-model",
    "-pseudonym",
    "-judge",
    " prompt",
    " answer",
    " detail",
    " error",
    "-rule",
    "-code",
    " comment",
    " colleague",
    "-invited",
    "-announcement",
    "-inquiry",
    "-public-inquiry-answer",
)
ORGANIZERS_PAGES = {
    "task_detail",
    "run_detail",
    "run_file",
    "report_detail",
    "job_detail",
    "judge_passport",
    "track_detail",
    "inquiry_list",
}


def admin_rows() -> list[str]:
    """The address of a row of each model in the admin, without the page."""
    newest = {model: model._default_manager.order_by("-pk").first() for model in admin.site._registry}
    return [
        f"/admin/{model._meta.app_label}/{model._meta.model_name}/{row.pk}/"
        for model, row in newest.items()
        if row
    ]


def first_addresses(site: WholeSite, but: frozenset[str] = frozenset()) -> list[str]:
    """One URL of each route outside the admin, without those that have one of these parameters."""
    chosen = [route for route in routes() if not but.intersection(route.parameters)]
    found = ["/", *(route.filled(site.first_values) for route in chosen)]
    return [address for address in found if not is_of_admin(address)]


@pytest.fixture
def assessor(client: Client, site: WholeSite) -> Client:
    client.force_login(site.signed_in("assessor"))
    return client


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


def test_assessor_sees_no_secret_at_one_address_of_each_route(site: WholeSite, assessor: Client) -> None:
    site.enter(Phase.JUDGING)
    crawl = Crawl(assessor).over(first_addresses(site))
    assert crawl.leaks == []
    assert len(crawl.statuses) > 200
    assert assessor.get("/account/").status_code == HTTPStatus.OK  # signed in to the end


@pytest.mark.whole
@pytest.mark.parametrize("phase", Phase)
def test_assessor_sees_no_secret(site: WholeSite, assessor: Client, phase: Phase) -> None:
    site.enter(phase)
    found = [address for route in routes() for address in route.all_filled(site.values)]
    crawl = Crawl(assessor).through(["/", *(address for address in found if not is_of_admin(address))])
    assert crawl.leaks == []
    assert assessor.get("/account/").status_code == HTTPStatus.OK  # signed in to the end


@pytest.mark.whole
@pytest.mark.parametrize("phase", Phase)
def test_assessor_s_program_sees_no_secret(site: WholeSite, phase: Phase) -> None:
    site.enter(phase)
    crawl = Crawl(site.program("assessor"), within="/api/").through(addresses_of_api(site))
    assert crawl.leaks == []
    assert crawl.statuses["/api/v1/account"] == HTTPStatus.OK


@pytest.mark.whole
def test_organizer_s_program_sees_the_secrets(site: WholeSite) -> None:
    """The crawl finds secrets that it may see: a crawl that reads nothing would find none either."""
    starts = [route.filled(site.first_values) for route in routes() if route.name.startswith("api:")]
    found = " ".join(Crawl(site.program("organizer"), within="/api/").through(starts).leaks)
    planted = ("-tag-accepted", " description", "-docno", "-team-own", "-people", "-model", "-judge")
    assert [kind for kind in planted if f"{SECRET}{kind}" not in found] == []


def test_assessor_sees_no_secret_in_the_feedback(site: WholeSite, assessor: Client) -> None:
    site.enter(Phase.RELEASED)
    task = Task.objects.get(feedback_notes__isnull=False)
    Feedback.objects.create(task=task, opened_by=User.objects.earliest("pk"))
    address = reverse("own_feedback", args=[task.track.slug, task.slug])
    crawl = Crawl(assessor).over([address])
    assert (crawl.leaks, crawl.statuses[address]) == ([], HTTPStatus.OK)


def test_assessor_sees_no_secret_in_the_admin(site: WholeSite, assessor: Client) -> None:
    found = [address for route in routes() for address in route.all_filled(site.values)]
    of_rows = [row + page for row in admin_rows() for page in ("", "change/", "history/", "delete/")]
    crawl = Crawl(assessor, within="/admin/")
    assert crawl.through([*filter(is_of_admin, found), *of_rows]).leaks == []


def test_team_sees_nothing_of_others_at_one_address_of_each_route(site: WholeSite, client: Client) -> None:
    client.force_login(site.signed_in("rival"))
    site.enter(Phase.JUDGING)
    leaks = Crawl(client).over(first_addresses(site, but=frozenset({"link"}))).leaks
    assert [leak for leak in leaks if not OF_RIVAL.search(leak)] == []
    assert any(OF_RIVAL.search(leak) for leak in leaks)  # it does see its own


@pytest.mark.whole
def test_team_sees_nothing_of_others_and_no_value_before_the_release(site: WholeSite, client: Client) -> None:
    """All rows of a released task exist already: runs, pool, qrels, values, jobs and a report."""
    client.force_login(site.signed_in("rival"))
    site.enter(Phase.JUDGING)
    # A person with a team's link was invited by it, and may know its name.
    without_link = [route for route in routes() if "link" not in route.parameters]
    found = [address for route in without_link for address in route.all_filled(site.values)]
    crawl = Crawl(client).through(["/", *(address for address in found if not is_of_admin(address))])
    assert [leak for leak in crawl.leaks if not OF_RIVAL.search(leak)] == []
    assert f"{site.task.runs.get(tag=f'{SECRET}-tag-other').pk}/" in "".join(crawl.statuses)
    assert any(OF_RIVAL.search(leak) for leak in crawl.leaks)  # it does see its own


def test_items_do_not_reveal_their_purpose(site: WholeSite, assessor: Client) -> None:
    """The items include one of the pool, a gold item and a repeated one."""
    own = site.first_values["assignment"]
    addresses = [f"/judging/{own}/items/", *(f"/judging/{own}/items/{place}/" for place in (1, 2, 3, 4))]
    pages = [assessor.get(address) for address in addresses]
    assert [page.status_code for page in pages] == [HTTPStatus.OK] * 5
    telling = re.compile(r"\b(gold|repeat\w*|purpose|adjudicat\w*)\b", re.IGNORECASE)
    assert [telling.findall(page.content.decode()) for page in pages] == [[]] * 5


@pytest.mark.whole
def test_links_lead_an_assessor_from_the_first_page_to_the_work(site: WholeSite, assessor: Client) -> None:
    """Links lead the crawl to the work: a crawl that never got in would find no secret either."""
    statuses = Crawl(assessor).through(["/"]).statuses
    own, image = site.first_values["assignment"], site.first_values["sha256"]
    for address in (
        "/judging/",
        f"/judging/{own}/items/",
        f"/judging/{own}/items/2/",
        f"/images/{image}/display",
        f"/tracks/{site.task.track.slug}/tasks/{site.task.slug}/",
        f"{settings.STATIC_URL}assessment/judging.js",
    ):
        assert statuses[address] == HTTPStatus.OK, address
    assert statuses[f"/judging/{own}/items/2/judgment"] == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.whole
def test_secrets_are_planted_where_organizers_read_them(site: WholeSite, client: Client) -> None:
    """Each kind of secret exists: people who may see it find it on a page of the task or the admin."""
    client.force_login(site.signed_in("organizer"))
    pages = [route.filled(site.first_values) for route in routes() if route.name in ORGANIZERS_PAGES]
    staff = site.client("staff")
    answers = [client.get(address) for address in pages]
    answers += [staff.get(f"{row}change/") for row in admin_rows()]
    found = b"".join(b"".join(answer) for answer in answers).decode().lower()
    assert [kind for kind in KINDS if f"{SECRET}{kind}".lower() not in found] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: answer.write(f"<!-- {SECRET.lower()} -->"),
        lambda answer: answer.write(f"[{HIDDEN_GRADE}]"),
        lambda answer: answer.write(f"{HIDDEN_SCORE:.4f}"),
        lambda answer: answer.headers.setdefault("ETag", f"{SECRET}-tag"),
        lambda answer: answer.headers.setdefault("Content-Disposition", f"inline; filename={SECRET}.run"),
        lambda answer: answer.set_cookie("last", SECRET),
    ],
    ids=["word", "grade", "raw score", "header", "file name", "cookie"],
)
def test_crawl_finds_a_leak(
    site: WholeSite,
    assessor: Client,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[HttpResponse], object],
) -> None:
    """The view that gives an assessor an item is changed to reveal a secret."""

    def leak(*shown: Any) -> HttpResponse:
        answer = render(*shown)
        spoil(answer)
        return answer

    address = f"/judging/{site.first_values['assignment']}/items/1/content"
    assert Crawl(assessor).through([address]).leaks == []
    monkeypatch.setattr(judging_content, "render", leak)
    leaks = Crawl(assessor).through([address]).leaks
    assert leaks
    assert all(address in leak for leak in leaks)
