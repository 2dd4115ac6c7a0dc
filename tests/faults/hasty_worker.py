"""The site's web worker with short timeouts for tests, and a page that needs no database."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from evaluation.running.hosting.web_worker import PatientWorker

LARGE = 12_000_000  # bytes of the answer of /large, more than the sockets on the way hold


class HastyWorker(PatientWorker):
    first_seconds = 1.0
    quiet_seconds = 1


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    body = b"a" * LARGE if environ["PATH_INFO"] == "/large" else environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body))), ("X-Worker", str(os.getpid()))])
    return [body]
