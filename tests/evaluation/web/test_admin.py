"""The admin is the staff's: it shows every row and changes few."""

from datetime import UTC, datetime
from http import HTTPStatus

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Mail, Operation
from evaluation.web.admin import MOST_NAMED
from tests import factories

pytestmark = pytest.mark.django_db


def test_organizers_have_no_admin(client: Client) -> None:
    client.force_login(factories.make_organizer(factories.make_track()))
    assert client.get(reverse("admin:evaluation_track_changelist")).status_code == HTTPStatus.FOUND
    assert client.get(reverse("admin:login")).status_code == HTTPStatus.NOT_FOUND
    assert reverse("admin:index") not in client.get(reverse("home")).content.decode()


def test_second_tab_does_not_overwrite_what_the_first_stored(client: Client) -> None:
    client.force_login(factories.make_staff())
    person = factories.make_user()
    address = reverse("admin:evaluation_user_change", args=[person.pk])
    form = client.get(address).context["adminform"].form
    opened = {"name": person.name, "is_active": "on", "opened": form["opened"].value()}
    assert client.post(address, opened | {"name": "First"}).status_code == HTTPStatus.FOUND
    refused = client.post(address, opened | {"name": "Second"}).content.decode()
    assert "Other values were stored after you opened this page" in refused
    person.refresh_from_db()
    assert person.name == "First"


def test_admin_writes_times_on_24_hours_with_their_zone(client: Client) -> None:
    made = datetime(2026, 3, 1, 15, 5, tzinfo=UTC)
    mail = Mail.objects.create(what="invitation", to="kim@example.org", subject="Hello", sent_at=made)
    client.force_login(factories.make_staff())
    for address in (
        reverse("admin:evaluation_mail_changelist"),
        reverse("admin:evaluation_mail_change", args=[mail.pk]),
    ):
        assert "1 Mar 2026 15:05 UTC" in client.get(address).content.decode()


def test_deletion_of_an_account_counts_what_forbids_it(client: Client) -> None:
    task, count = factories.make_task(), 3 * MOST_NAMED
    person = factories.make_organizer(task.track)
    Operation.objects.bulk_create(
        Operation(task=task, kind="k", requested_by=person, outcome="done", ended_at=Now())
        for _ in range(count)
    )
    client.force_login(factories.make_staff())
    address = reverse("admin:evaluation_user_delete", args=[person.pk])
    assert f"operations: {count}" in client.get(address).content.decode()
    client.post(address, {"post": "yes"})
    person.refresh_from_db()
