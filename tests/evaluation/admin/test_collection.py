from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from evaluation.models import Document, Topic
from tests.factories import make_organizer, make_pool, make_task

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_topics_and_documents_stay_once_a_pool_names_them(client: Client) -> None:
    task = make_task(topic_count=2, document_count=2)
    client.force_login(make_organizer(task.track))
    make_pool(task, pairs=[("T1", "D1")])
    for name, rows in (("topic", Topic.objects.order_by("number")), ("document", Document.objects.all())):
        pooled, free = rows
        one = reverse(f"admin:evaluation_{name}_delete", args=[pooled.pk])
        assert client.post(one, {"post": "yes"}).status_code == 403
        form = {"action": "delete_selected", "_selected_action": [pooled.pk, free.pk], "post": "yes"}
        client.post(reverse(f"admin:evaluation_{name}_changelist"), form)
        assert rows.count() == 2
        client.post(reverse(f"admin:evaluation_{name}_delete", args=[free.pk]), {"post": "yes"})
        assert list(rows.all()) == [pooled]
