"""The admin's own checks of rows, behind its lists: other tracks, archived tracks, long deletions."""

import pytest
from django.contrib import admin
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from evaluation.models import Membership, Phase, Role, Run, Task, Team, User
from evaluation.tracks.archiving import archive_track
from evaluation.web.admin import base
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return factories.make_task(phase=Phase.RELEASED)


@pytest.fixture
def organizer(task: Task) -> User:
    return factories.make_organizer(task.track)


@pytest.fixture
def request_(rf: RequestFactory, organizer: User) -> HttpRequest:
    request = rf.get("/")
    request.user = organizer
    return request


def permissions(request: HttpRequest, task: Task) -> list[bool]:
    """To view, change and delete it."""
    own = admin.site.get_model_admin(Task)
    return [
        own.has_view_permission(request, task),
        own.has_change_permission(request, task),
        own.has_delete_permission(request, task),
    ]


def test_organizer_has_no_permission_on_a_row_of_another_track(request_: HttpRequest, task: Task) -> None:
    assert permissions(request_, task) == [True, True, True]
    assert permissions(request_, factories.make_task()) == [False, False, False]


def test_organizer_changes_and_deletes_no_row_of_an_archived_track(
    request_: HttpRequest, task: Task, organizer: User
) -> None:
    archive_track(track=task.track, by=organizer)
    assert permissions(request_, task) == [True, False, False]


def test_organizer_sees_no_row_of_a_track_where_they_assess(
    client: Client, request_: HttpRequest, task: Task, organizer: User
) -> None:
    other = factories.make_task(phase=Phase.JUDGING, name="marlinspike")
    Membership.objects.create(user=organizer, track=other.track, role=Role.ASSESSOR)
    client.force_login(organizer)
    page = client.get(reverse("admin:evaluation_task_changelist")).content.decode()
    assert task.name in page
    assert "marlinspike" not in page
    assert permissions(request_, other) == [False, False, False]


def test_choice_of_several_rows_offers_those_of_their_own_track(request_: HttpRequest, task: Task) -> None:
    own = factories.make_family(task)
    factories.make_family(factories.make_task())
    field = admin.site.get_model_admin(Run).formfield_for_manytomany(
        Run._meta.get_field("families"), request_
    )
    assert field is not None
    assert field.queryset is not None
    assert list(field.queryset) == [own]


def test_deletion_of_more_rows_than_allowed_is_refused(
    request_: HttpRequest, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MOST_DELETED", 2)
    for _ in range(3):
        factories.make_team(task.track)
    *_, refused = admin.site.get_model_admin(Team).get_deleted_objects(Team.objects.all(), request_)
    assert refused == ["more than 2 rows at once: choose fewer"]
    *_, refused = admin.site.get_model_admin(Team).get_deleted_objects(Team.objects.all()[:2], request_)
    assert refused == []
