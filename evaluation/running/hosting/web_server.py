"""Gunicorn's settings: `--config python:evaluation.running.hosting.web_server evaluation.config.wsgi`."""

from typing import Any

from gunicorn.glogging import Logger

from evaluation.running.hosting.children import share_memory
from evaluation.running.hosting.var_folder import PRIVATE_UMASK


class SiteLogger(Logger):
    """Writes gunicorn's lines to the site's log."""

    def setup(self, cfg: Any) -> None:
        """Set the levels, and leave handlers and formats to the root logger."""
        super().setup(cfg)
        for log in (self.error_log, self.access_log):
            log.handlers.clear()
            log.propagate = True


def on_starting(_server: object) -> None:
    """End gunicorn if the database is of a newer release: its tables have another meaning."""
    from django.apps import apps

    if apps.ready:  # by `preload_app`: an application without Django has no database
        from evaluation.running.hosting.schema import refuse_unknown_migrations

        refuse_unknown_migrations()


def when_ready(_server: object) -> None:
    """Share the loaded site with the workers, which are forked next."""
    share_memory()


bind = "127.0.0.1:8000"
worker_class = "evaluation.running.hosting.web_worker.PatientWorker"
workers = 4  # two per core of a small machine: the threads of one process cannot use two cores
threads = 4  # most wait for the database, or for the bytes of an upload
timeout = 60  # seconds without a heartbeat; a long upload does not stop it, because a thread reads that
preload_app = True  # one copy in memory, and the log is set up before gunicorn's first line
graceful_timeout = 8  # seconds for current requests when the site stops
keepalive = 75  # seconds, longer than browsers and proxies keep an idle connection; see make_room
max_requests = 20_000  # then the worker is replaced when its connections are closed; see PatientWorker
max_requests_jitter = 2_000
accesslog = "-"
access_log_format = '%(h)s "%(r)s" %(s)s, %(b)s bytes, %(M)s ms'
logger_class = SiteLogger
control_socket_disable = True
forwarder_headers = ""  # otherwise a client could change the site's root by a header SCRIPT_NAME
umask = PRIVATE_UMASK
