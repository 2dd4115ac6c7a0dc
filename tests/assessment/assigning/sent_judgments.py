"""Judgments as the screen and the plain form send them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.urls import reverse

from assessment.models import Assignment

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


def sent(**changes: Any) -> dict[str, Any]:
    fields = {
        "client_uuid": uuid.uuid4(),
        "criteria_version": 1,
        "image_sha256": "",
        "shown_at": "2026-09-01T12:00:00.250Z",
        "active_seconds": "3.5",
        "grade": 2,
        "comment": "",
    } | changes
    return {name: value for name, value in fields.items() if value is not None}


def post(
    client: Client, name: str, assignment: Assignment, place: int, fields: dict[str, Any], *, by_script: bool
) -> Answer:
    client.force_login(assignment.assessor)
    headers = {"Accept": "application/json"} if by_script else {}
    return client.post(reverse(name, args=[assignment.pk, place]), fields, headers=headers)
