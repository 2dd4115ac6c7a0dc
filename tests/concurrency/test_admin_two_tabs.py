"""A row that is open in two tabs of the admin: the second save is refused and shows what the first stored."""

from http import HTTPStatus
from typing import Any

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.test import Client

from evaluation.models import Collection, Document, Task, Track, User
from judges.models import Budget
from tests.concurrency.admin_forms import TOLD, address_of, sent_by
from tests.factories import make_image, make_organizer, make_task
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db


def assert_second_is_told(client: Client, row: Model, field: str, first: Any, second: Any) -> None:
    opened = client.get(address_of(row))
    saved = client.post(address_of(row), sent_by(opened, **{field: first}))
    assert saved.status_code == HTTPStatus.FOUND, saved.context["errors"]
    refused = client.post(address_of(row), sent_by(opened, **{field: second}))
    assert TOLD in refused.content.decode()
    assert client.post(address_of(row), sent_by(refused, **{field: second})).status_code == HTTPStatus.FOUND


@pytest.fixture
def staff(whole_site: WholeSite) -> Client:
    return whole_site.client("staff")


@pytest.mark.parametrize(
    ("model", "field", "first", "second"),
    [
        (Track, "description", "first", "second"),
        (Task, "guidelines", "first", "second"),
        (Collection, "name", "First", "Second"),
        (User, "name", "First", "Second"),
        (Budget, "ceiling", "20.00", "30.00"),
    ],
)
def test_second_tab_does_not_overwrite_what_the_first_stored(
    staff: Client, model: type[Model], field: str, first: str, second: str
) -> None:
    row = model._default_manager.order_by("pk").last()
    assert row
    assert_second_is_told(staff, row, field, first, second)


def test_second_tab_does_not_replace_the_picture_of_the_first(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    document = Document.objects.create(collection=task.collection, docno="D1", fields=[["text", "x"]])
    files = [SimpleUploadedFile("a.webp", make_image().original.read()) for _ in range(2)]
    opened = client.get(address_of(document))
    assert client.post(address_of(document), sent_by(opened, picture=files[0])).status_code == 302
    first = Document.objects.get(pk=document.pk).image_id
    assert first
    refused = client.post(address_of(document), sent_by(opened, picture=files[1]))
    assert TOLD in refused.content.decode()
    assert Document.objects.get(pk=document.pk).image_id == first


@pytest.mark.whole
def test_every_form_of_the_admin_that_changes_a_row_is_compared(staff: Client) -> None:
    changed = 0
    for model in admin.site._registry:
        row = model._default_manager.first()
        page = staff.get(address_of(row)).content.decode() if row else ""
        if 'name="_save"' in page:
            changed += 1
            assert page.count('name="opened"') == 1, model
    assert changed > 15
