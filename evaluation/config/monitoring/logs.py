"""The log: one line per event, with the ids of the current objects; JSON for machines, text for people."""

import json
import logging
import multiprocessing
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from evaluation.platform.web.outages import is_outage
from trackside.log_context import bound_ids

QUIET = ("beat", "worker.strategy", "worker.request", "app.trace")  # loggers of Celery


class OutageFilter(logging.Filter):
    """Reduces the traceback of an outage of database, message broker or storage to one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record if its exception is an outage; let every record pass."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error and record.name == "celery.beat" and is_outage(error.__context__):
            error = error.__context__  # beat raises an error of its own
        if is_outage(error):
            first, *_ = record.getMessage().splitlines() or [""]
            reason, *_ = str(error).strip().splitlines() or [""]
            record.msg, record.args = f"{first} ({type(error).__name__}: {reason})", ()
            record.exc_info = record.exc_text = None
        return True


LONGEST = 300  # characters of a refusal's line, which quotes text from the client
MOST_LINES, PERIOD = 20, 60.0  # maximum lines of one logger in so many seconds


class RefusalFilter(logging.Filter):
    """Limit the log lines of refused requests, such as those with a wrong Host header.

    A refusal is one short line without a traceback. MOST_LINES of one logger pass in each PERIOD; the first
    line of the next period states how many lines were left out.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        # By logger: start of the period in seconds, and lines in it.
        self._counts: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten and count a refusal; let every other record pass."""
        if not _is_refusal(record):
            return True
        begun, count = self._counts.get(record.name, (self._clock(), 0))
        left_out = 0
        if self._clock() - begun >= PERIOD:
            left_out, begun, count = max(0, count - MOST_LINES), self._clock(), 0
        self._counts[record.name] = begun, count + 1
        text = record.getMessage()[:LONGEST] + (f" ({left_out} more were left out)" if left_out else "")
        record.msg, record.args, record.exc_info, record.exc_text = text, (), None, None
        return count < MOST_LINES


def _is_refusal(record: logging.LogRecord) -> bool:
    """Whether Django answered the request with 400 to 499 because of an exception."""
    if record.name.startswith("django.security."):
        return True
    return record.name == "django.request" and record.levelno < logging.ERROR and bool(record.exc_info)


class TextFormatter(logging.Formatter):
    """`12:34:56 WARNING judges.jobs: shard was released (job=3)`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """Return the line, followed by the ids."""
        ids = " ".join(f"{name}={value}" for name, value in bound_ids().items())
        return super().formatMessage(record) + (f" ({ids})" if ids else "")


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, part, message, and each id under its own name."""

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
        "formatters": {"line": {"()": f"evaluation.config.monitoring.logs.{formatter}"}},
        "filters": {
            "outages": {"()": "evaluation.config.monitoring.logs.OutageFilter"},
            "refusals": {"()": "evaluation.config.monitoring.logs.RefusalFilter"},
        },
        "handlers": {
            "stream": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["outages", "refusals"],
            }
        },
        "root": {"handlers": ["stream"], "level": level},
        # Django gives these loggers their own handlers, which mail nobody and duplicate lines.
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            # These log each message from beat, several times a minute; keep failures and lines of the tasks.
            **{f"celery.{name}": {"level": "WARNING"} for name in QUIET},
        },
    }
