"""The OpenAPI file is valid, and a client that knows nothing else works with the site."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Phase, Run
from evaluation.runs.checking import check_run
from tests.evaluation.web.api.conftest import secret_of
from tests.factories import make_task, make_team, make_team_member

CONTENT = b"T1 Q0 D1 1 0.5 kestrel\nT2 Q0 D1 1 0.5 kestrel\nT3 Q0 D1 1 0.25 kestrel\n"


def test_openapi_file_is_valid(client: Client) -> None:
    served = json.loads(client.get("/api/v1/openapi.json").content)
    assert [error.message for error in OpenAPIV31SpecValidator(served).iter_errors()] == []
    headers = {
        parameter["name"]
        for methods in served["paths"].values()
        for operation in methods.values()
        for parameter in operation["parameters"]
        if parameter["in"] == "header"
    }
    assert headers == {"Idempotency-Key"}, "servers drop names with an underscore"


@pytest.mark.whole
@pytest.mark.usefixtures("sent")
def test_client_of_the_file_uploads_a_run_and_reads_its_verdict(live_server: LiveServer) -> None:
    """Schemathesis builds the requests from the file alone, and compares each answer with it."""
    import schemathesis
    from schemathesis.checks import load_all_checks

    load_all_checks()
    task = make_task(phase=Phase.OPEN, topic_count=3, document_count=2)
    member = make_team_member(make_team(task.track, name="Kestrel"))
    schema = schemathesis.openapi.from_url(f"{live_server.url}/api/v1/openapi.json")
    headers = {"Authorization": f"Bearer {secret_of(member)}"}
    task_names: dict[str, Any] = {"track": task.track.slug, "task": task.slug}

    def call(operation_id: str, *, key: str = "", body: dict[str, Any] | None = None, **names: Any) -> Any:
        sent: dict[str, Any] = {"body": body, "media_type": "multipart/form-data"} if body else {}
        sent["headers"] = headers | ({"Idempotency-Key": key} if key else {})
        case = schema.find_operation_by_id(operation_id).Case(path_parameters=task_names | names, **sent)
        answer = case.call()
        case.validate_response(answer)
        return answer

    key, fields = str(uuid4()), {"file": CONTENT, "description": "Dense.", "type": "automatic"}
    made = call("run_submit", key=key, body=fields)
    again = call("run_submit", key=key, body=fields)
    assert (made.status_code, again.json()["id"], Run.objects.count()) == (201, made.json()["id"], 1)
    number = made.json()["id"]
    assert call("run_verdict", run=number).status_code == 409
    check_run(run_id=number)
    assert call("run_verdict", run=number).json()["summary"]["tag"] == "kestrel"
    assert call("run_detail", run=number).json()["state"] == "accepted"
    wrong = call("run_submit", body=fields | {"colour": "red"})
    assert (wrong.status_code, wrong.json()["errors"][0]["where"]) == (422, "form colour")
