"""The log: one line an event, with the bound ids."""

import json
import logging
import sys

from evaluation.config.logs import JsonFormatter, TextFormatter, logging_settings
from evaluation.core.log_context import bound, bound_ids


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
