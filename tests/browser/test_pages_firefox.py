"""A report and the upload of a run in Firefox, where the machine has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from evaluation.models import Run
from tests.browser.report_shapes import FIGURES, MODEL_HEIGHT, SEES_CURRENT, WIDE_TABLES
from tests.browser.reported_task import JUDGES, make_reported_task
from tests.browser.signing_in import sign_in_firefox
from tests.factories import make_task, make_team, make_team_member

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.live_server_helper import LiveServer

    from tests.browser.firefox import Firefox

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

RUN_FILE = b"T1 Q0 D1 1 1.0 kestrel-1\n"
# Labels that reach out of their figure by more than their halo, which Firefox counts as part of a text.
OUTSIDE = """() => [...document.querySelectorAll("svg.chart text")].filter(text => {
  const own = text.getBoundingClientRect();
  const box = text.ownerSVGElement.getBoundingClientRect();
  return own.width && (own.left < box.left - 4 || own.right > box.right + 4
    || own.top < box.top - 4 || own.bottom > box.bottom + 4);
}).map(text => text.textContent)"""
# The judge of each finding and of each row of the table, as far as the page shows them.
NAMED = """return [".finds .who", "#judges tbody th"].map(each => [...document.querySelectorAll(each)]
  .filter(named => named.checkVisibility()).map(named => named.textContent.trim()))"""
HEIGHT = "return document.documentElement.scrollHeight"
IS_SIDEWAYS = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
CHOSEN = "return document.getElementById('chosen').textContent.startsWith('kestrel.run')"
HEADING = "return document.querySelector('h1').textContent.trim().startsWith('Checking kestrel.run')"


def test_first_page_of_a_report_is_whole_at_any_width(firefox: Firefox, live_server: LiveServer) -> None:
    task = make_reported_task(4)
    firefox.resize(1440, 900)
    firefox.open(live_server.url + reverse("report_detail", args=[task.track.slug, task.slug]))
    assert firefox.run(HEIGHT) <= MODEL_HEIGHT
    assert len({tuple(each) for each in firefox.run(f"return ({FIGURES})()")}) == 1, "one top, one height"
    names = sorted(["second assessor", *JUDGES[:4]])
    for width in (1280, 720, 360):
        firefox.resize(width, 900)
        found, rows = firefox.run(NAMED)
        assert sorted(found) == names, width
        assert all(map(str.startswith, sorted(rows), names)), width
        assert len(firefox.run(f"return ({FIGURES})()")) == 3, width
        assert firefox.run(f"return ({OUTSIDE})()") == firefox.run(f"return ({WIDE_TABLES})()") == [], width
        assert not firefox.run(IS_SIDEWAYS), width
    firefox.open(live_server.url + reverse("report_section", args=[task.track.slug, task.slug, "methods"]))
    assert firefox.run(f"return ({SEES_CURRENT})()"), "the last section in the list of a phone"


def test_a_run_is_uploaded(firefox: Firefox, live_server: LiveServer, tmp_path: Path) -> None:
    task = make_task(topic_count=1, document_count=1)
    sign_in_firefox(firefox, make_team_member(make_team(task.track)), live_server)
    firefox.open(live_server.url + reverse("run_upload", args=[task.track.slug, task.slug]))
    file = tmp_path / "kestrel.run"
    file.write_bytes(RUN_FILE)
    firefox.choose_file("#upload input[type=file]", file)
    firefox.wait_for(
        "return document.getElementById('chosen').textContent.startsWith('kestrel.run')", wanted=True
    )
    firefox.run("document.querySelector('#upload button.first').click()")
    firefox.wait_for(HEADING, wanted=True)
    assert Run.objects.get().upload.read() == RUN_FILE
