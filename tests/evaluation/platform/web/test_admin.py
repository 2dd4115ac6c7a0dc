"""The admin: staff see every row, organizers those of their tracks; the form of a row's page changes it."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import pytest
from django.db.models import Model
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Archiving, Mail, Membership, Operation, Phase, Role
from evaluation.platform.access.changes import changes_to
from evaluation.platform.web.admin_lists import MOST_NAMED
from judges.models import Budget
from tests import factories

pytestmark = pytest.mark.django_db


def admin_address(row: Model, page: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


def sent_by(client: Client, address: str) -> dict[str, Any]:
    """What a browser sends of the form on the page if nobody changes it."""
    form = client.get(address).context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (None, False)}


def test_organizers_list_search_and_filter_the_rows_of_their_own_track(client: Client) -> None:
    task, other = factories.make_task(topic_count=2), factories.make_task(topic_count=3)
    factories.make_task(task.track, topic_count=1)  # a filter is offered if two tasks have topics
    client.force_login(factories.make_organizer(task.track))
    assert reverse("admin:index") in client.get(reverse("home")).content.decode()
    topics = reverse("admin:evaluation_topic_changelist")
    for query, numbers in (("", {"T1", "T2"}), ("?q=T2", {"T2"}), (f"?task__id__exact={other.pk}", set())):
        assert {topic.number for topic in client.get(topics + query).context["cl"].result_list} == numbers
    assert other.name not in client.get(topics).content.decode()


def test_organizers_change_dates_by_the_form_of_their_page(client: Client) -> None:
    task = factories.make_task(phase=Phase.DRAFT)
    organizer = factories.make_organizer(task.track)
    client.force_login(organizer)
    address = f"{admin_address(task)}?form=dates"
    sent = sent_by(client, address) | {"time_zone": "Europe/Vienna", "opens_at": "2031-01-01T10:00:00"}
    sent |= {"judging_at": "2031-03-01T10:00:00", "releases_at": "2031-04-01T10:00:00"}
    late = client.post(address, sent | {"closes_at": "2030-01-01T10:00:00"})
    assert late.status_code == HTTPStatus.OK
    assert late.context["adminform"].form.errors
    assert client.post(address, sent | {"closes_at": "2031-02-01T10:00:00"}).status_code == HTTPStatus.FOUND
    task.refresh_from_db()
    assert task.opens_at == datetime(2031, 1, 1, 9, 0, tzinfo=UTC)  # Vienna is an hour ahead in winter
    assert changes_to(task)[0].person == str(organizer)


def test_organizers_change_texts_of_a_topic_whose_fields_depend_on_the_row(client: Client) -> None:
    task = factories.make_task(topic_count=1)
    client.force_login(factories.make_organizer(task.track))
    topic = task.topics.get()
    sent = sent_by(client, admin_address(topic)) | {"text_0": "a red kestrel", "note": "Mind the colour."}
    assert client.post(admin_address(topic), sent).status_code == HTTPStatus.FOUND
    topic.refresh_from_db()
    assert (topic.fields[0][1], topic.note) == ("a red kestrel", "Mind the colour.")


def test_refusal_of_an_action_is_an_error_of_the_form(client: Client) -> None:
    """Only the site's staff set the ceiling of a track's budget."""
    track = factories.make_track()
    budget = Budget.objects.of_track(track)
    client.force_login(factories.make_organizer(track))
    answer = client.post(f"{admin_address(budget)}?form=ceiling", {"ceiling": "5.00"})
    assert "Only the site&#x27;s staff set a ceiling" in answer.content.decode()
    before = budget.ceiling_micros
    budget.refresh_from_db()
    assert budget.ceiling_micros == before


def test_nothing_is_changed_in_an_archived_track(client: Client) -> None:
    task = factories.make_task(topic_count=1)
    organizer = factories.make_organizer(task.track)
    client.force_login(organizer)
    topic = task.topics.get()
    sent = sent_by(client, admin_address(topic)) | {"note": "late"}
    Archiving.objects.create(track=task.track, archived_by=organizer)
    assert b'name="_save"' not in client.get(admin_address(topic)).content
    assert client.post(admin_address(topic), sent).status_code == HTTPStatus.NOT_FOUND
    topic.refresh_from_db()
    assert topic.note == ""


def test_organizer_who_assesses_the_track_sees_no_records(client: Client) -> None:
    task = factories.make_task(phase=Phase.JUDGING, topic_count=1, document_count=1)
    run = factories.make_run(task, results={"T1": ["D1"]})
    qrels = factories.make_qrels(task)
    organizer = factories.make_organizer(task.track)
    client.force_login(organizer)
    rows: list[Model] = [run, qrels, factories.make_pool(task, runs=[run])]
    assert {client.get(admin_address(row)).status_code for row in rows} == {HTTPStatus.OK}
    Membership.objects.create(user=organizer, track=task.track, role=Role.ASSESSOR)
    assert {client.get(admin_address(row)).status_code for row in rows} == {HTTPStatus.NOT_FOUND}
    for name in ("run", "qrels", "pool", "runnote", "measurevalue"):
        page = reverse(f"admin:evaluation_{name}_changelist")
        assert client.get(page).status_code == HTTPStatus.NOT_FOUND
        assert page not in client.get(reverse("admin:index")).content.decode()
    assert client.get(admin_address(task.topics.get())).status_code == HTTPStatus.OK


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
