"""Evaluation's pages in Chromium: accessible, as wide as the screen, with nothing that the policy blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import expect

from evaluation.core.run_checks import check_run
from evaluation.models import Phase, Report, Run, RunState
from tests.browser.signing_in import sign_in
from tests.evaluation.report_content import report_content
from tests.factories import (
    make_document,
    make_family,
    make_image,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_user,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, ViewportSize
    from pytest_django.live_server_helper import LiveServer

    from evaluation.models import Task, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE: ViewportSize = {"width": 360, "height": 800}


class Site:
    """A released task with everything on its pages, an open one, and a person of each kind."""

    def __init__(self) -> None:
        self.task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=3)
        self.open_task = make_task(self.task.track, phase=Phase.OPEN, topic_count=2, document_count=3)
        make_document(self.task.collection, docno="D9", image=make_image())
        self.team = make_team(self.task.track)
        self.run = make_run(self.task, self.team)
        self.run.families.add(make_family(self.task))
        verdict = check_run(b"\xef\xbb\xbfT1 Q0 D1 1 nan tag\r\nT9 Q0 D2 1 1.0\r\n", topics={"T1", "T2"})
        self.rejected = make_run(
            self.open_task, self.team, state=RunState.REJECTED, verdict=verdict.to_json()
        )
        make_pool(self.task, runs=[self.run])
        Report.objects.create(
            task=self.task,
            reference=make_qrels(self.task),
            inputs_sha256="0" * 64,
            content=report_content(),
            code_version="1",
        )
        self.people: dict[str, User | None] = {
            "nobody": None,
            "stranger": make_user(),
            "member": make_team_member(self.team),
            "organizer": make_organizer(self.task.track),
        }

    def addresses(self) -> dict[str, list[str]]:
        """Pages by the person who reads them."""
        return {
            "nobody": [*_of(self.task, "task_detail", "run_list", "report_detail"), "/", "/no-such-page"]
            + [reverse(name) for name in ("login", "password_reset", "password_reset_done")]
            + [reverse("invitation_accept", args=["no-such-token"]), _run_page(self.run)],
            "stranger": [*_of(self.open_task, "run_upload"), reverse("account"), reverse("password_change")],
            "member": [*_of(self.open_task, "task_detail", "run_upload"), _run_page(self.rejected), "/"],
            "organizer": [
                *_of(self.task, "task_detail", "pool_build", "report_detail"),
                *_of(self.open_task, "task_detail", "pool_build", "report_detail"),
                reverse("track_detail", args=[self.task.track.slug]),
                reverse("member_invite", args=[self.task.track.slug]),
                _run_page(self.run),
            ],
        }


def _of(task: Task, *names: str) -> list[str]:
    return [reverse(name, args=[task.track.slug, task.slug]) for name in names]


def _run_page(run: Run) -> str:
    return reverse("run_detail", args=[run.task.track.slug, run.task.slug, run.pk])


def _violations(results: Any) -> list[tuple[str, Any]]:
    return [(each["id"], each["nodes"][0]["target"]) for each in results.response["violations"]]


def test_pages_are_accessible_and_fit_a_phone(
    context: BrowserContext, live_server: LiveServer, subtests: pytest.Subtests
) -> None:
    site = Site()
    page = context.new_page()
    for role, addresses in site.addresses().items():
        sign_in(context, site.people[role], live_server)
        for address in addresses:
            with subtests.test(f"{role} {address}"):
                page.goto(address)
                assert _violations(Axe().run(page)) == []
                page.set_viewport_size(PHONE)
                assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
                page.set_viewport_size({"width": 1440, "height": 900})


def test_pages_and_admin_load_nothing_that_the_policy_blocks(
    context: BrowserContext, live_server: LiveServer
) -> None:
    site = Site()
    blocked: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            blocked.append(f"{page.url}: {message.text}")

    page = context.new_page()
    page.on("console", note)
    page.on("pageerror", lambda error: blocked.append(f"{page.url}: {error}"))
    for role, addresses in site.addresses().items():
        sign_in(context, site.people[role], live_server)
        for address in addresses:
            page.goto(address)
    for model in admin.site._registry:
        names = model._meta.app_label, model._meta.model_name
        page.goto(reverse("admin:{}_{}_changelist".format(*names)))
        rows = page.locator("#result_list tbody th a")
        if rows.count():
            rows.first.click()
    assert blocked == []


def test_run_page_shows_the_verdict_by_itself(context: BrowserContext, live_server: LiveServer) -> None:
    site = Site()
    run = make_run(site.open_task, site.team, state=RunState.RECEIVED)
    sign_in(context, site.people["member"], live_server)
    page = context.new_page()
    page.goto(_run_page(run))
    expect(page.get_by_role("status")).to_contain_text("Checking")
    done = make_run(site.open_task, site.team, tag="kestrel-1")
    Run.objects.filter(pk=run.pk).update(
        state=RunState.REJECTED, verdict=site.rejected.verdict, checked_at=done.checked_at
    )
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rejected:")
