"""An upload that begins before a change of its rules and ends after it: its end decides."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from django.utils import timezone

from evaluation.models import EntryRules, Membership, Phase, Run, Task, Team, User
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db

CONTENT = b"T1 Q0 D1 1 0.5 kestrel\n"


class HaltedBody(BytesIO):
    """A request's body; ``between`` is called once, when half of it has arrived."""

    def __init__(self, content: bytes, between: Callable[[], object]) -> None:
        super().__init__(content)
        self.half, self.between = len(content) // 2, between
        self.has_called = False

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() < self.half:
            return super().read(self.half - self.tell())
        if not self.has_called:
            self.has_called = True
            self.between()
        return super().read(size)


def upload(way: str, task: Task, member: User, between: Callable[[], object]) -> int:
    """Upload by the page or by the API; return the status."""
    [team] = Team.objects.filter(memberships__user=member)
    fields: dict[str, Any] = {"file": ContentFile(CONTENT, "kestrel.run"), "team": team.pk}
    if way == "page":
        client, address = Client(), reverse("run_upload", args=[task.track.slug, task.slug])
        client.force_login(member)
    else:
        client, address = program_of(member), address_of(task, "/runs")
        del fields["team"]
    body = HaltedBody(encode_multipart(BOUNDARY, fields), between)
    length = len(body.getvalue())
    more: dict[str, Any] = {"wsgi.input": body, "CONTENT_LENGTH": length, "CONTENT_TYPE": MULTIPART_CONTENT}
    status = client.generic("POST", address, b"x", MULTIPART_CONTENT, **more).status_code
    assert body.has_called
    return status


def close(task: Task, **changes: Any) -> None:
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(seconds=1), **changes)


@pytest.fixture(params=["page", "API"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.OPEN, topic_count=1, document_count=1)


@pytest.fixture
def member(task: Task) -> User:
    return make_team_member(make_team(task.track))


def test_upload_that_ends_after_the_close_is_refused(way: str, task: Task, member: User) -> None:
    assert upload(way, task, member, lambda: close(task)) in (200, 409)
    assert not Run.objects.exists()


def test_upload_that_ends_in_the_grace_period_is_late(way: str, task: Task, member: User) -> None:
    assert upload(way, task, member, lambda: close(task, grace=timedelta(minutes=5))) in (201, 302)
    assert Run.objects.get().lateness == "late, in the grace period"


def test_upload_that_ends_after_the_grace_period_is_refused(way: str, task: Task, member: User) -> None:
    close(task, grace=timedelta(minutes=5))
    before = timezone.now() - timedelta(minutes=6)
    assert upload(way, task, member, lambda: Task.objects.update(closes_at=before)) in (200, 409)
    assert not Run.objects.exists()


def test_upload_that_ends_before_a_later_close_is_in_time(way: str, task: Task, member: User) -> None:
    close(task, grace=timedelta(minutes=5))
    later = timezone.now() + timedelta(minutes=1)
    assert upload(way, task, member, lambda: Task.objects.update(closes_at=later)) in (201, 302)
    assert not Run.objects.get().is_late


def test_person_who_leaves_the_team_during_the_upload_has_not_uploaded(
    way: str, task: Task, member: User
) -> None:
    gone = Membership.objects.filter(user=member)
    assert upload(way, task, member, lambda: gone.delete()) in (200, 422)
    assert not Run.objects.exists()


def test_approval_that_the_track_asks_for_meanwhile_is_needed(way: str, task: Task, member: User) -> None:
    def ask() -> None:
        EntryRules.objects.create(track=task.track, needs_approval=True)

    assert upload(way, task, member, ask) in (200, 403, 409)
    assert not Run.objects.exists()
