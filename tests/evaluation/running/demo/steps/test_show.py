"""The whole command with a separate site: real servers, workers and a CLIP."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from evaluation.config.monitoring.doctor import Level, check_accounts
from evaluation.models import Track, User
from evaluation.running.demo.steps import show
from evaluation.running.demo.steps.show import waiting
from evaluation.running.demo.steps.track import VISITORS, prepare_track
from evaluation.running.demo.world import drawn_world
from tests.evaluation.conftest import Process
from tests.factories import make_user
from trackside.errors import InputError


class SiteGone(Exception):
    """The site ended."""


SHOW_SMALL = """
import django
django.setup()
from evaluation.running.demo.steps.show import show_demo
from evaluation.running.demo.world import WorldSize, drawn_world
world = drawn_world(WorldSize(pictures=120, suggestion_topics=4, promotion_topics=3))
show_demo(lambda line: print(line, flush=True), world, port={port})
"""
WAY = (
    "Storing pictures",
    "promotion: retrieving",
    "grading eight topics by LLaVA",
    "Computing",
    "The site is up.",
)
"""Waited for one by one: each is slow on a busy machine."""


@pytest.mark.long
def test_show_demo_killed_continues_reports_and_serves(site: Path, start: Callable[..., Process]) -> None:
    killed = start(site, "-c", SHOW_SMALL.format(port=None))
    killed.wait_for_text("suggestion: retrieving")
    killed.child.kill()
    killed.child.wait()
    check_demo(site, start)


@pytest.mark.whole
def test_show_demo_reports_and_serves(site: Path, start: Callable[..., Process]) -> None:
    check_demo(site, start)


def check_demo(site: Path, start: Callable[..., Process]) -> None:
    demo = start(site, "-c", SHOW_SMALL.format(port=0))
    for text in WAY:
        demo.wait_for_text(text)
    end = demo.text.rstrip().splitlines()[-10:]
    assert end[0].startswith("AToMiC in miniature")
    assert end[1].startswith("Image suggestion: ")
    assert sum("@example.org" in line for line in end) == len(VISITORS)
    assert "/report" in end[-1]
    assert demo.end(signal.SIGINT) == 0


def test_waiting_gives_up_when_the_site_is_gone_or_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise SiteGone

    waiting(gone)(lambda: True)
    with pytest.raises(SiteGone):
        waiting(gone)(lambda: False)
    monkeypatch.setattr(show, "PATIENCE", -1.0)
    with pytest.raises(InputError, match="to resume"):
        waiting(lambda: None)(lambda: False)


@pytest.mark.parametrize(
    "changed", [{"SITE_HOST": "eval.example.org"}, {"ALLOWED_HOSTS": ["eval.example.org"]}]
)
def test_demo_refuses_a_site_that_others_reach(settings: Settings, changed: dict[str, Any]) -> None:
    for name, value in changed.items():
        setattr(settings, name, value)
    with pytest.raises(CommandError, match=r"names eval\.example\.org"):
        call_command("demo", "--no-serve")


@pytest.mark.django_db
def test_demo_adds_no_account_to_a_site_with_accounts() -> None:
    make_user()
    with pytest.raises(InputError, match="TRACKSIDE_VAR"):
        prepare_track(drawn_world().words)
    assert not Track.objects.exists()
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_doctor_names_accounts_whose_password_everybody_knows(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]  # tests add a name
    assert [each.level for each in check_accounts()] == [Level.OK]
    prepare_track(drawn_world().words)
    [found] = check_accounts()
    assert found.level == Level.WARNING
    assert all(email in found.text for email in VISITORS)
    settings.SITE_HOST = "eval.example.org"
    assert [each.level for each in check_accounts()] == [Level.FAILURE]
    User.objects.update(is_active=False)
    assert [each.level for each in check_accounts()] == [Level.OK]
