"""A faulty connection to a site whose worker does at once what the commands wait for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from evaluation import tasks
from evaluation.submissions.runs.checking import check_run
from tests.conftest import finish_requests
from tests.evaluation.platform.web.api.conftest import secret_of
from tests.trackside.cli.remote.breaking_line import BreakingLine, breaking_line
from trackside.cli.remote import client

SignIn = Callable[..., None]


@pytest.fixture
def line(
    transactional_db: None, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[BreakingLine]:
    def work(_: object, name: str, args: Any) -> None:
        match name:
            case "evaluation.run_operations":
                tasks.run_operations()
            case "evaluation.run_imports":
                tasks.run_imports()
            case "evaluation.check_run":
                check_run(run_id=args[0])

    monkeypatch.setattr("celery.Celery.send_task", work)
    monkeypatch.setattr(client, "PAUSES", (0, 0))
    with breaking_line((live_server.thread.host, live_server.thread.port)) as line:
        yield line
    finish_requests(live_server)


@pytest.fixture
def sign_in(line: BreakingLine, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Signs a person in over the connection, with these scopes or with all."""

    def use(person: Any, *scopes: Any) -> None:
        monkeypatch.setenv("TRACKSIDE_TOKEN", secret_of(person, *scopes))
        monkeypatch.setenv("TRACKSIDE_SITE", line.url)

    return use
