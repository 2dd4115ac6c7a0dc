"""The log: one line an event, with the bound ids."""

import json
import logging
import sys

import pytest
from django.test import Client

from evaluation.config.monitoring.logs import (
    LONGEST,
    MOST_LINES,
    PERIOD,
    JsonFormatter,
    RefusalFilter,
    TextFormatter,
    logging_settings,
)
from trackside.log_context import bound, bound_ids


def record(message: str, *arguments: object) -> logging.LogRecord:
    return logging.LogRecord("judges.jobs", logging.WARNING, "file.py", 1, message, arguments, None)


def test_json_line_carries_the_bound_ids() -> None:
    with bound(task=3), bound(run=17, job=5):
        line = json.loads(JsonFormatter().format(record("shard %d came back", 2)))
    assert {name: line[name] for name in ("level", "logger", "message", "task", "run", "job")} == {
        "level": "WARNING",
        "logger": "judges.jobs",
        "message": "shard 2 came back",
        "task": 3,
        "run": 17,
        "job": 5,
    }


def test_json_line_stays_one_line_with_an_exception() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        failed = record("failed")
        failed.exc_info = sys.exc_info()
    text = JsonFormatter().format(failed)
    assert "\n" not in text
    assert "ValueError: first\nsecond" in json.loads(text)["exception"]


def test_text_line_ends_with_the_ids() -> None:
    with bound(job=5):
        assert TextFormatter().format(record("slow")).endswith("WARNING judges.jobs: slow (job=5)")


def test_ids_end_with_their_block() -> None:
    with bound(run=1):
        with bound(run=2):
            assert bound_ids() == {"run": 2}
        assert bound_ids() == {"run": 1}
    assert bound_ids() == {}


def test_logging_settings_choose_the_form() -> None:
    forms = [
        logging_settings(is_json=is_json, level="INFO")["formatters"]["line"]["()"]
        for is_json in (True, False)
    ]
    assert [form.rpartition(".")[2] for form in forms] == ["JsonFormatter", "TextFormatter"]


def refused(message: str, *, logger: str = "django.security.DisallowedHost") -> logging.LogRecord:
    try:
        raise ValueError(message)
    except ValueError:
        return logging.LogRecord(logger, logging.WARNING, "file.py", 1, message, (), sys.exc_info())


def test_refused_request_is_one_short_line() -> None:
    for logger in ("django.security.DisallowedHost", "django.request"):
        found = refused("x" * 5000, logger=logger)
        assert RefusalFilter().filter(found)
        assert (found.getMessage(), found.exc_info) == ("x" * LONGEST, None)


def test_errors_of_the_site_keep_their_traceback() -> None:
    error = refused("Internal Server Error", logger="django.request")
    error.levelno = logging.ERROR
    own = refused("failed", logger="judges.jobs")
    for found in (error, own):
        assert RefusalFilter().filter(found)
        assert found.exc_info


def test_refused_requests_of_one_kind_are_limited_and_counted() -> None:
    now = [0.0]
    limited = RefusalFilter(clock=lambda: now[0])
    passed = [limited.filter(refused("bad host")) for _ in range(MOST_LINES + 5)]
    assert passed == [True] * MOST_LINES + [False] * 5
    assert limited.filter(refused("no such field", logger="django.security.DisallowedModelAdminLookup"))
    now[0] = PERIOD
    later = [refused("bad host") for _ in range(2)]
    assert all(limited.filter(each) for each in later)
    assert [each.getMessage() for each in later] == ["bad host (5 more were left out)", "bad host"]


@pytest.mark.django_db
def test_strangers_do_not_fill_the_log_with_tracebacks(caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(RefusalFilter())
    for _ in range(MOST_LINES + 5):
        assert Client().get("/", headers={"host": "else.example"}).status_code == 400
    lines = [each for each in caplog.records if "else.example" in each.getMessage()]
    assert len(lines) == MOST_LINES
    assert not any(each.exc_info for each in lines)
