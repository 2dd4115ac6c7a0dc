"""Pictures of our pages for each role, light and dark, phone and wide: `make screens`, into var/screens.

Not a test: people look at the pictures. ONLY=word selects the pages with the word in their name.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from evaluation.models import RunState, User
from tests.browser.sample_task import make_open_sample, make_sample
from tests.browser.signing_in import sign_in
from tests.browser.visits import addresses
from tests.factories import make_run
from tests.whole_site import make_whole_site

FOLDER = Path(settings.ROOT, "var", "screens")
WIDTHS = {"wide": 1440, "phone": 360}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ONLY = os.environ.get("ONLY", "")

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    with browser.new_context(base_url=live_server.url) as context:
        yield context.new_page()


def shoot(page: Page, name: str) -> None:
    """The whole page in both schemes and widths."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for width_name, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=FOLDER / f"{name}-{width_name}-{scheme}.png", full_page=True)


def test_pages_of_the_table(page: Page, live_server: LiveServer) -> None:
    if not ONLY:
        shutil.rmtree(FOLDER, ignore_errors=True)
    site = make_whole_site()
    old = make_run(site.task, state=RunState.REPLACED)
    make_run(site.task, old.team, tag=old.tag, replaces=old)
    for visit, address in addresses(site).items():
        if visit.name.startswith("admin:") or ONLY not in visit.name:
            continue
        if visit.phase:
            site.enter(visit.phase)
        sign_in(page.context, site.visitors[visit.role], live_server)
        page.goto(address)
        shoot(page, str(visit).strip("/").replace(" ", "-"))


def test_pages_of_a_track_with_many_runs(page: Page, live_server: LiveServer) -> None:
    for name, (reader, address) in sample_pages().items():
        if ONLY not in name:
            continue
        sign_in(page.context, reader, live_server)
        page.goto(address)
        shoot(page, f"sample-{name}")


def sample_pages() -> dict[str, tuple[User | None, str]]:
    """Name, reader and address."""
    sample = make_sample()
    open_task, uploads = make_open_sample(sample.task.track, sample.member)
    task, own = ([each.track.slug, each.slug] for each in (sample.task, open_task))
    found: dict[str, tuple[User | None, str]] = {
        "home-member": (sample.member, reverse("home")),
        "track_detail-member": (sample.member, reverse("track_detail", args=task[:1])),
        "track_detail-organizer": (sample.organizer, reverse("track_detail", args=task[:1])),
        "task_detail-member-open": (sample.member, reverse("task_detail", args=own)),
        "task_detail-organizer-released": (sample.organizer, reverse("task_detail", args=task)),
        "leaderboard-signed-out": (None, reverse("leaderboard", args=task)),
        "leaderboard-organizer-best": (
            sample.organizer,
            reverse("leaderboard", args=task) + "?best=1&measure=AP",
        ),
        "report-signed-out": (None, reverse("report_detail", args=task)),
        "run_list-member": (sample.member, reverse("run_list", args=own)),
        "run_upload-member": (sample.member, reverse("run_upload", args=own)),
        "run_detail-member-released": (sample.member, reverse("run_detail", args=[*task, sample.run.pk])),
        "run_detail-signed-out-released": (None, reverse("run_detail", args=[*task, sample.run.pk])),
    }
    return found | {
        f"run_detail-member-{run.state}": (sample.member, reverse("run_detail", args=[*own, run.pk]))
        for run in uploads
    }
