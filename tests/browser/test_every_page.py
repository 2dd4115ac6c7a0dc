"""Every page in Chromium: accessible in light and dark, fits all widths, and has no blocked content."""

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.db.models import Value
from django.db.models.functions import Concat
from django.urls import reverse
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Collection, Family, Run, RunState, Task, Team, Track, User
from tests.browser.axe import dark_violations, violations
from tests.browser.report_shapes import WIDE_TABLES
from tests.browser.signing_in import sign_in
from tests.browser.visits import FILE, Visit, addresses, model_pages
from tests.factories import PASSWORD, make_run, make_verdict
from tests.whole_site import WholeSite, make_whole_site
from trackside.checks import check_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 800}
ZOOMED: ViewportSize = {"width": 720, "height": 450}  # a laptop of 1,440 px at 200 %
WIDER: tuple[ViewportSize, ...] = tuple({"width": width, "height": 900} for width in (1024, 1280, 1290, 2000))
ADMIN_VIOLATIONS = FILE.with_name("admin_violations.txt")
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# The console of Chromium says what the policy blocks, that of Firefox does not say it to tests.
SAY_BLOCKED = """addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    console.error("Content Security Policy", effectiveDirective, blockedURI))"""
LONG = "_of_a_long_name_without_blanks"
RUN_FILES = {
    RunState.ACCEPTED: b"T1 Q0 D1 1 2.5 tag\nT1 Q0 D2 2 1.5 tag\nT2 Q0 D1 1 0.5 tag\n",
    RunState.REJECTED: b"\xef\xbb\xbfT1 Q0 D1 1 nan tag\r\nT9 Q0 D2 1 1.0\r\nT1 Q0 D1 2 1.0 other\r\n",
}


@pytest.fixture
def site() -> WholeSite:
    """A site with a row of each kind: names too long for a phone, verdicts with counts and faults."""
    site = make_whole_site()
    for model in (Collection, Family, Task, Team, Track, User):
        model._default_manager.update(name=Concat("name", Value(LONG)))
    for state, content in RUN_FILES.items():
        verdict = check_run(content, topics={"T1", "T2"})
        for run in Run.objects.filter(state=state):
            Run.objects.filter(pk=run.pk).update(verdict=make_verdict(verdict))
    old = make_run(site.task, tag="run" + LONG, state=RunState.REPLACED)
    make_run(site.task, old.team, tag=old.tag, replaces=old)
    return site


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail and nothing may be blocked."""
    faults: list[str] = []
    context.add_init_script(SAY_BLOCKED)
    opened = context.new_page()

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(f"{opened.url}: {message.text}")

    opened.set_viewport_size(DESK)
    opened.on("console", note)
    opened.on("pageerror", lambda error: faults.append(f"{opened.url}: {error}"))
    yield opened
    assert faults == []


def open_whole(page: Page, site: WholeSite, server: LiveServer, visit: Visit, address: str) -> None:
    """Open the page as its reader, with all its details."""
    if visit.phase:
        site.enter(visit.phase)
    sign_in(page.context, site.visitors[visit.role], server)
    page.goto(address)
    assert page.title().startswith("Sign in") == (visit.name == "account_login")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")


def expect_fit(page: Page, *sizes: ViewportSize) -> None:
    """Fail if the page or one of its tables is wider than a window of these sizes."""
    for size in sizes:
        page.set_viewport_size(size)
        assert page.evaluate(SIDEWAYS) == 0, size
        assert page.evaluate(WIDE_TABLES) == [], size


def own_addresses(site: WholeSite) -> dict[Visit, str]:
    """The pages but for the admin's."""
    return {
        visit: address for visit, address in addresses(site).items() if not visit.name.startswith("admin:")
    }


def test_pages_are_accessible_in_both_schemes_and_fit_all_widths(
    page: Page, site: WholeSite, live_server: LiveServer, subtests: pytest.Subtests
) -> None:
    for visit, address in own_addresses(site).items():
        with subtests.test(str(visit)):
            open_whole(page, site, live_server, visit, address)
            assert violations(page) == []
            assert dark_violations(page) == []
            expect_fit(page, ZOOMED, PHONE, *WIDER)
            page.set_viewport_size(DESK)


@pytest.mark.parametrize("browser", ["firefox"], indirect=True)
def test_pages_are_accessible_on_phones_and_fit_in_firefox(
    page: Page, site: WholeSite, live_server: LiveServer, subtests: pytest.Subtests
) -> None:
    for visit, address in own_addresses(site).items():
        with subtests.test(str(visit)):
            open_whole(page, site, live_server, visit, address)
            expect_fit(page, DESK, PHONE)
            assert violations(page) == []
            assert dark_violations(page) == []
            page.set_viewport_size(DESK)


def test_refused_forms_are_accessible(page: Page, site: WholeSite, live_server: LiveServer) -> None:
    page.goto(reverse("account_login"))
    page.get_by_label("E-mail").fill("nobody@example.org")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("correct")
    assert violations(page) + dark_violations(page) == []
    sign_in(page.context, site.visitors["organizer"], live_server)
    page.goto(reverse("pool_build", args=[site.task.track.slug, site.task.slug]))
    page.get_by_label("Name", exact=True).fill(site.task.pools.get().name)
    page.get_by_role("button", name="Freeze the pool").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose another name")
    assert violations(page) + dark_violations(page) == []


def test_pages_of_signing_in_are_accessible(page: Page, site: WholeSite) -> None:
    """Pages that need earlier steps: the code of a new account, and a second factor."""
    page.goto(reverse("account_signup"))
    page.get_by_label("Name").fill("R. Okafor")
    page.get_by_label("E-mail").fill("new@example.org")
    page.get_by_label("Password").fill("a brand new passphrase")
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("heading", name="Confirm your address")).to_be_visible()
    assert violations(page) + dark_violations(page) == []
    page.get_by_role("button", name="Cancel").click()
    page.get_by_label("E-mail").fill(site.signed_in("staff").email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    assert violations(page) + dark_violations(page) == []


def admin_addresses(site: WholeSite) -> Iterator[tuple[str, str, str]]:
    """Name, reader and address of the admin's pages; a model's name follows the kind of its page."""
    for visit, address in addresses(site).items():
        if visit.name.startswith("admin:"):
            yield visit.name, visit.role, address
    models = {model._meta.label_lower: model for model in admin.site._registry}
    for kind, labels in model_pages().items():
        for label in labels or models:
            row = models[label]._default_manager.first()
            assert row, f"tests/whole_site.py makes no {label}"
            of_row = [] if kind in {"changelist", "add"} else [row.pk]
            yield f"{kind} {label}", "staff", reverse(f"admin:{label.replace('.', '_')}_{kind}", args=of_row)


def test_admin_breaks_no_rules_but_those_listed(page: Page, site: WholeSite, live_server: LiveServer) -> None:
    lines = ADMIN_VIOLATIONS.read_text().splitlines()
    listed = {line for line in lines if line and not line.startswith("#")}
    found: set[str] = set()
    looked_at = set()
    for name, role, address in admin_addresses(site):
        sign_in(page.context, site.visitors[role], live_server)
        page.goto(address)
        assert page.title().startswith("Log in") == (name == "admin:login"), address
        kind = name.split()[0]
        is_known = kind in looked_at  # pages of one kind have the same colours
        # The frame of the pages of models is also that of the admin's own pages.
        part = "html" if name.startswith("admin:") else "#content"
        broken = violations(page, part=part, has_known_colours=is_known)
        if not is_known:
            broken += dark_violations(page)
        looked_at.add(kind)
        found |= {f"{name}: {each}" for each in broken}
    assert sorted(found) == sorted(listed)
