"""Detect that the database, the message broker or the storage of blobs cannot be used, and answer 503."""

import sys
from errno import EDQUOT, ENOSPC, EROFS
from http import HTTPStatus

from amqp.exceptions import RecoverableConnectionError
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError

RETRY_AFTER = 5  # seconds
# SQLSTATEs of PostgreSQL: connection lost, shutdown or start in progress, too many connections, full disk.
AWAY = ("08", "57P01", "57P02", "57P03", "53300", "53100")
BUSY = ("57014", "55P03")  # SQLSTATEs: a statement, or its wait for a lock, reached its time limit
BROKER_ERRORS = (BrokerError, RedisConnectionError, RecoverableConnectionError, ConnectionError)


def is_database_away(error: BaseException | None) -> bool:
    """Return whether the error means that the database cannot be reached, or its disk is full.

    Without an SQLSTATE the server did not answer at all, or the pool had no free connection in time.
    """
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(AWAY)


def is_database_busy(error: BaseException | None) -> bool:
    """Return whether a statement or its wait for a lock reached a time limit; the log keeps its traceback."""
    return isinstance(error, OperationalError) and getattr(error.__cause__, "sqlstate", None) in BUSY


def is_storage_away(error: BaseException | None) -> bool:
    """Return whether the disk is full or read-only, or the bucket cannot be reached or fails."""
    if isinstance(error, OSError) and error.errno in {ENOSPC, EDQUOT, EROFS}:
        return True
    s3 = sys.modules.get("botocore.exceptions")  # loaded if the site has a bucket
    if s3 is None:
        return False
    if isinstance(error, s3.ClientError):
        status: int = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, (s3.ConnectionError, s3.HTTPClientError))


def is_outage(error: BaseException | None) -> bool:
    """Return whether the error means that the database, the message broker or the storage cannot be used."""
    return is_database_away(error) or is_storage_away(error) or isinstance(error, BROKER_ERRORS)


def site_failed(request: HttpRequest) -> HttpResponse:
    """Answer an exception of a page: 503 with Retry-After if database or storage is away or busy, else 500.

    Django calls it while it handles the exception.
    """
    error = sys.exc_info()[1]
    if not (is_database_away(error) or is_database_busy(error) or is_storage_away(error)):
        return server_error(request)
    answer = render(request, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer
