"""The log: a line an event, with the ids of what is at hand; JSON for machines, text for people."""

import json
import logging
import multiprocessing
from datetime import UTC, datetime
from typing import Any

from evaluation.core.log_context import bound_ids


class TextFormatter(logging.Formatter):
    """`12:34:56 WARNING judges.jobs: shard was released (job=3)`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """Return the line, followed by the ids."""
        ids = " ".join(f"{name}={value}" for name, value in bound_ids().items())
        return super().formatMessage(record) + (f" ({ids})" if ids else "")


class JsonFormatter(logging.Formatter):
    """One JSON object a line; the ids stand under their own names beside time, level, part and message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object as text; an exception is its traceback."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "part": multiprocessing.current_process().name,
            "logger": record.name,
            "message": record.getMessage(),
            **bound_ids(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def logging_settings(*, is_json: bool, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything to standard error, through one handler."""
    formatter = "JsonFormatter" if is_json else "TextFormatter"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"evaluation.config.logs.{formatter}"}},
        "handlers": {"stream": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stream"], "level": level},
        # Django gives these handlers of their own: without this, mails to nobody and lines twice.
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            # Three lines for each sweep, several times a minute; failures and what the tasks log stay.
            **{f"celery.{name}": {"level": "WARNING"} for name in ("beat", "worker.strategy", "app.trace")},
        },
    }
