"""Bodies that an operation does not read: other content types and unknown fields are named, never ignored."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from evaluation.config.api import api
from evaluation.models import Run, RunState, Task, Team
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_run
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
OF_OWNERS = {"team_rename", "team_apply"}  # for organizers such a team is no team of theirs
CHANGED = [
    (path, method, operation)
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
    if method != "get" and "requestBody" in operation
]
CHANGES = [
    pytest.param(path, method, operation, id=operation["operationId"])
    for path, method, operation in CHANGED
    if operation["operationId"] != "import_fields"
]


@pytest.mark.parametrize(("path", "method", "operation"), CHANGES)
def test_every_operation_names_what_it_does_not_read(
    whole_site: WholeSite,
    client: Client,
    path: str,
    method: str,
    operation: dict[str, Any],
) -> None:
    address = path.format(**whole_site.first_values)
    role = "team" if operation["operationId"] in OF_OWNERS else "organizer"
    headers = {"Authorization": f"Bearer {whole_site.secrets[role]}"}
    (wanted,) = operation["requestBody"]["content"]
    json = client.generic(method, address, '{"a": 1}', "application/json", headers=headers)
    assert (json.status_code, json.json()["type"]) == (415, "urn:trackside:content-type-refused")
    assert '"application/json"' in json.json()["detail"]
    assert f"reads {wanted}" in json.json()["detail"]
    form = client.post(address, {"colour": "red", "file2": ContentFile(b"", "a")}, headers=headers).json()
    assert [error["where"] for error in form["errors"]] == ["form colour", "form file2"]
    assert form["status"] == 422


def test_fields_of_an_import_name_the_field_that_is_missing(whole_site: WholeSite, client: Client) -> None:
    (path,) = (path for path, method, operation in CHANGED if operation["operationId"] == "import_fields")
    headers = {"Authorization": f"Bearer {whole_site.secrets['organizer']}"}
    answer = client.post(path.format(**whole_site.first_values), {"feilds": "{}"}, headers=headers)
    assert answer.status_code == 422
    assert "fields is not JSON" in answer.json()["detail"]


def test_form_of_a_file_is_multipart_and_others_come_in_both_encodings(
    program: Client, task: Task, team: Team
) -> None:
    refused = program.post(address_of(task, "/runs"), urlencode({"description": "x"}), FORM)
    assert (refused.status_code, Run.objects.filter(task=task).exists()) == (415, False)
    assert "reads multipart/form-data. Send its fields so: file, team, desc" in refused.json()["detail"]
    run = make_run(task, team)
    assert program.post(address_of(task, f"/runs/{run.pk}/withdraw")).json()["state"] == RunState.WITHDRAWN
    organizer, grants = program_of(make_organizer(task.track)), address_of(task, "/late-exceptions")
    for answer in (organizer.post(grants, {"team": "x"}), organizer.post(grants, "team=x", FORM)):
        assert [error["where"].split()[-1] for error in answer.json()["errors"]] == ["closes_at", "reason"]


def test_strangers_learn_nothing_of_an_operation(client: Client, task: Task) -> None:
    for content_type in ("application/json", FORM):
        answer = client.generic("POST", address_of(task, "/runs"), "{}", content_type)
        assert answer.status_code == 401
