"""The uses of fields of imports by API."""

import json

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from evaluation import tasks
from evaluation.models import Scope, Task
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task()


@pytest.fixture
def program(task: Task) -> Client:
    return program_of(make_organizer(task.track), Scope.ORGANIZE)


def _sent(program: Client, task: Task, content: bytes, **fields: str) -> str:
    """The address of a new import of topics."""
    body = {"file": ContentFile(content, "topics.jsonl"), **fields}
    return program.post(address_of(task, "/imports/topics"), body)["Location"]


GOLD = b'{"_id": "T1", "query": "tarn", "answer": "d1", "kind": "nav"}\n'


def test_uses_of_fields_are_chosen_with_the_upload_or_after_the_trial(program: Client, task: Task) -> None:
    choice = {"id": "_id", "texts": ["kind", "query"], "picture": "", "stratum": "", "left_out": ["answer"]}
    choice |= {"note": "", "rows": ""}
    address = _sent(program, task, GOLD, fields=json.dumps(choice))
    tasks.run_imports()
    tried = program.get(address).json()
    assert (tried["choice"], tried["samples"][0]["fields"]) == (choice, [["kind", "nav"], ["query", "tarn"]])
    assert tried["fields"][0] == {
        "name": "_id",
        "use": "id",
        "share": 1.0,
        "is_list": False,
        "is_asked": False,
    }
    chosen = program.post(f"{address}/fields", {"fields": '{"stratum": "kind"}'}).json()
    assert (chosen["state"], chosen["choice"]["stratum"]) == ("received", "kind")
    assert program.post(f"{address}/fields", {"fields": "{}"}).status_code == 409
    tasks.run_imports()
    (sample,) = program.get(address).json()["samples"]
    assert (sample["fields"], sample["stratum"], sample["has_picture"]) == ([["query", "tarn"]], "nav", False)
    assert sample["left_out"] == [["answer", "d1"]]
    assert program.get(address).json()["roles"] == {"description": "query"}  # proposed by its name
    for roles, answered in (({"title": "query"}, {"title": "query"}), ({}, {})):
        program.post(f"{address}/fields", {"fields": json.dumps({"roles": roles})})
        tasks.run_imports()
        assert program.get(address).json()["roles"] == answered
    wrong: object
    for wrong in ({"name": "query"}, [], {"title": "query", "caption": "query"}, {"title": 1}):
        refused = program.post(f"{address}/fields", {"fields": json.dumps({"roles": wrong})})
        assert refused.json()["type"] == "urn:trackside:fields-refused"
    refused = program.post(f"{address}/fields", {"fields": "[]"})
    assert (refused.status_code, refused.json()["type"]) == (422, "urn:trackside:fields-refused")
    refused = program.post(f"{address}/fields", {"fields": '{"text": ["query"], "id": "_id"}'})
    assert refused.json()["detail"].startswith("No part is named text.")
