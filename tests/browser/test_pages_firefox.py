"""The upload of a run in Firefox, where the machine has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from evaluation.models import Run
from tests.browser.signing_in import sign_in_firefox
from tests.factories import make_task, make_team, make_team_member

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.live_server_helper import LiveServer

    from tests.browser.firefox import Firefox

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

RUN_FILE = b"T1 Q0 D1 1 1.0 kestrel-1\n"
CHOSEN = "return document.getElementById('chosen').textContent.startsWith('kestrel.run')"
HEADING = "return document.querySelector('h1').textContent.trim().startsWith('Checking kestrel.run')"


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
