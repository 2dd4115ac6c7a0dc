"""The admin shows an organizer nothing of another track: lists, pages, choices, filters, deletions."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.models import (
    Mail,
    Membership,
    Phase,
    Role,
    RunState,
    Team,
    Token,
    User,
)
from evaluation.web.admin.base import NOT_YOURS
from evaluation.web.admin.deletions import MOST_NAMED
from tests import factories
from tests.evaluation.web.admin.rows import make_rows

pytestmark = pytest.mark.django_db

SECRET = "marlinspike"  # in every name of the other track


@pytest.fixture
def organizer() -> User:
    """The organizer of a track with a row of each kind; another track has private rows with secret names."""
    make_rows(factories.make_track(slug=SECRET, name=SECRET), SECRET, Phase.DRAFT)
    track = factories.make_track()
    make_rows(track, "own", Phase.JUDGING)
    return factories.make_organizer(track)


MODELS = sorted(
    (model for model in admin.site._registry if model._meta.app_label == "evaluation"),
    key=lambda m: m.__name__,
)


def _list_url(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def _add_url(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")


def _page_url(row: Any, page: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


@pytest.mark.whole
def test_admin_shows_an_organizer_no_row_of_another_track(
    client: Client, organizer: User, subtests: pytest.Subtests
) -> None:
    client.force_login(organizer)
    for model in MODELS:
        with subtests.test(model.__name__):
            _check_list(client, model)
            for row in model._default_manager.all():
                _check_page(client, row, is_own=_is_visible(row, organizer))


def _check_list(client: Client, model: Any) -> None:
    answer = client.get(_list_url(model))
    if model in {Mail, Token, User}:
        assert answer.status_code == 403
        return
    assert answer.context["cl"].result_list
    assert SECRET not in answer.content.decode()


def _check_page(client: Client, row: Any, *, is_own: bool) -> None:
    answer = client.get(_page_url(row), follow=True)
    assert SECRET not in answer.content.decode().replace(str(row.pk), "")
    is_sent_away = answer.status_code == 403 or bool(answer.redirect_chain)
    assert is_sent_away is (isinstance(row, User) or not is_own)


def _is_visible(row: Any, user: User) -> bool:
    return bool(type(row)._default_manager.visible_to(user).filter(pk=row.pk))


def test_admin_offers_an_organizer_no_choice_of_another_track(
    client: Client, organizer: User, subtests: pytest.Subtests
) -> None:
    client.force_login(organizer)
    for model in MODELS:
        with subtests.test(model.__name__):
            answer = client.get(_add_url(model))
            assert answer.status_code in {200, 403}
            assert SECRET not in answer.content.decode()


def test_admin_leaves_out_what_others_have_made_public(client: Client, organizer: User) -> None:
    public = factories.make_task(phase=Phase.RELEASED, name="public elsewhere")
    client.force_login(organizer)
    assert "public elsewhere" not in client.get(_list_url(type(public))).content.decode()


def test_admin_refuses_a_posted_choice_of_another_track(client: Client, organizer: User) -> None:
    client.force_login(organizer)
    other_team = Team.objects.get(name=f"{SECRET} team")
    own_track = organizer.memberships.get().track
    fields = {"user": organizer.pk, "track": own_track.pk, "role": Role.TEAM_MEMBER, "team": other_team.pk}
    answer = client.post(reverse("admin:evaluation_membership_add"), fields)
    assert answer.status_code == 200
    assert "team" in answer.context["adminform"].form.errors
    assert not Membership.objects.filter(user=organizer, team=other_team).exists()


def test_admin_deletion_that_reaches_into_another_track_is_refused_without_naming_it(
    rf: RequestFactory, organizer: User
) -> None:
    own_team = Team.objects.get(name="own team")
    stranger = factories.make_user(name=SECRET, email=f"{SECRET}@elsewhere.example")
    # A row of the organizer's team and another track: no form makes it, but the database can hold it.
    Membership.objects.create(
        user=stranger,
        track=Team.objects.get(name=f"{SECRET} team").track,
        role=Role.TEAM_MEMBER,
        team=own_team,
    )
    request = rf.get("/")
    request.user = organizer
    shown, counts, needed, protected = admin.site.get_model_admin(Team).get_deleted_objects(
        [own_team], request
    )
    assert needed == {NOT_YOURS}
    assert SECRET not in str((shown, counts, protected))


@pytest.mark.parametrize("name", ["kestrel", "KESTREL", "Ｋestrel", "Kestrel "])
def test_admin_refuses_names_that_differ_in_capitals_or_width(client: Client, name: str) -> None:
    task = factories.make_task()
    client.force_login(factories.make_organizer(task.track))
    rows = (
        (factories.make_team(task.track, name="Kestrel"), {"track": task.track.pk}),
        (factories.make_family(task, name="Kestrel"), {"task": task.pk}),
        (factories.make_collection(task.track, name="Kestrel"), {"track": task.track.pk, "description": ""}),
    )
    for row, owner in rows:
        page = client.post(_add_url(type(row)), {**owner, "name": name})
        assert (page.status_code, list(page.context["adminform"].form.errors)) == (200, ["name"])
        fields = {
            owner_name: getattr(row, owner_name) for owner_name in ("track", "task") if owner_name in owner
        }
        other = type(row)._default_manager.create(name="Nordlys", **fields)
        page = client.post(_page_url(other), {"name": name, "description": ""})
        assert (page.status_code, list(page.context["adminform"].form.errors)) == (200, ["name"])
        assert client.post(_page_url(row), {"name": "KESTREL", "description": ""}).status_code == 302


def test_admin_writes_times_on_24_hours_with_their_zone(client: Client) -> None:
    made = datetime(2026, 3, 1, 15, 5, tzinfo=UTC)
    mail = Mail.objects.create(what="invitation", to="kim@example.org", subject="Hello", sent_at=made)
    client.force_login(factories.make_staff())
    for address in (
        reverse("admin:evaluation_mail_changelist"),
        reverse("admin:evaluation_mail_change", args=[mail.pk]),
    ):
        assert "1 Mar 2026 15:05 UTC" in client.get(address).content.decode()


def test_deletion_of_a_team_counts_its_many_runs(client: Client, organizer: User) -> None:
    """A team may have hundreds of runs, and naming each of them takes seconds."""
    team = factories.make_team(organizer.memberships.get().track)
    task, member = factories.make_task(team.track), factories.make_team_member(team)
    for _ in range(MOST_NAMED + 1):
        factories.make_run(task, team, state=RunState.REJECTED, received_by=member)
    client.force_login(organizer)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(reverse("admin:evaluation_team_delete", args=[team.pk])).content.decode()
    assert f"runs: {MOST_NAMED + 1}" in page
    assert len(queries) < 60
    client.post(reverse("admin:evaluation_team_delete", args=[team.pk]), {"post": "yes"})
    assert team.runs.count() == MOST_NAMED + 1
