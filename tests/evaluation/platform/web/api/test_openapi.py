"""The schema of version 1 of the API: stored, valid, and enough to generate a client that works."""

import importlib
import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from openapi_spec_validator import OpenAPIV31SpecValidator
from pytest_django.live_server_helper import LiveServer

from evaluation.config.api import api
from evaluation.models import Phase, Run
from evaluation.submissions.runs.checking import check_run
from tests.evaluation.platform.web.api.conftest import secret_of
from tests.evaluation.platform.web.api.schemas import STORED, live
from tests.factories import make_task, make_team, make_team_member


def test_api_equals_its_stored_schema() -> None:
    """Accept a change by ``python -m tests.evaluation.platform.web.api.schemas``; read the difference."""
    assert STORED.read_text() == live()


def test_schema_is_built_once() -> None:
    """Anybody may ask for it, and building it takes a thread 0.2 s."""
    assert api.get_openapi_schema() is api.get_openapi_schema()


def test_page_of_the_api_links_to_each_schema_and_shows_code(client: Client) -> None:
    page = client.get(reverse("api_docs")).content.decode()
    links, targets = (set(re.findall(pattern, page)) for pattern in (r'href="#([^"]+)"', r' id="([^"]+)"'))
    assert {"TrackOut", "RunOut", "group-1"} <= links
    assert links <= targets
    assert "instead of <code>offset</code>" in page
    assert "`" not in page
    assert "Page_" not in page


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


@pytest.fixture
def generated(tmp_path: Path, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The package that openapi-python-client writes of the served file."""
    settings = tmp_path / "settings.json"
    settings.write_text('{"post_hooks": []}')
    package = f"client_{uuid4().hex}"
    command = [str(Path(sys.executable).with_name("openapi-python-client")), "generate", "--meta", "none"]
    command += ["--url", f"{live_server.url}/api/v1/openapi.json", "--output-path", str(tmp_path / package)]
    subprocess.run([*command, "--config", str(settings)], check=True, timeout=120)
    monkeypatch.syspath_prepend(tmp_path)

    def module(name: str) -> Any:
        return importlib.import_module(f"{package}.{name}")

    return SimpleNamespace(module=module, url=live_server.url)


@pytest.mark.whole
@pytest.mark.usefixtures("sent")
def test_generated_client_uploads_a_run_and_reads_its_verdict(generated: SimpleNamespace) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=3, document_count=2)
    secret = secret_of(make_team_member(make_team(task.track, name="Kestrel")))
    new_client = generated.module("client").AuthenticatedClient

    def call(operation: str, **arguments: Any) -> Any:
        runs = generated.module(f"api.runs.{operation}")
        with new_client(base_url=generated.url, token=secret) as client:
            return runs.sync_detailed(track=task.track.slug, task=task.slug, client=client, **arguments)

    file = generated.module("types").File(payload=BytesIO(CONTENT), file_name="kestrel.run")
    upload = generated.module("models").RunSubmitMultiPartBodyParams(file=file, description="Dense.")
    key = str(uuid4())
    made = call("run_submit", body=upload, idempotency_key=key)
    file.payload.seek(0)
    again = call("run_submit", body=upload, idempotency_key=key)
    number = made.parsed.id
    assert (made.status_code, again.parsed.id, Run.objects.count()) == (201, number, 1)
    waiting = call("run_verdict", run=number)
    assert (waiting.status_code, bool(waiting.parsed.detail)) == (409, True)
    check_run(run_id=number)
    assert call("run_verdict", run=number).parsed.summary.tag == "kestrel"
    assert call("run_detail", run=number).parsed.state == "accepted"
