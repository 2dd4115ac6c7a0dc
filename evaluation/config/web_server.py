"""Gunicorn's settings: `gunicorn --config python:evaluation.config.web_server evaluation.config.wsgi`."""

from typing import Any

from gunicorn.glogging import Logger


class SiteLogger(Logger):
    """Hands gunicorn's lines to the site's own log."""

    def setup(self, cfg: Any) -> None:
        """Set the levels, and leave handlers and formats to the root logger."""
        super().setup(cfg)
        for log in (self.error_log, self.access_log):
            log.handlers.clear()
            log.propagate = True


bind = "127.0.0.1:8000"
worker_class = "gthread"
workers = 4  # two a core: the threads of one take turns on one core, while another core may be idle
threads = 4  # most wait for the database, or for the bytes of an upload
timeout = 60  # seconds without a sign of life; uploads are read by threads, which do not count
preload_app = True  # one copy in memory, and the log is set up before gunicorn's first line
graceful_timeout = 8  # seconds for requests under way when the site stops
keepalive = 5
accesslog = "-"
access_log_format = '%(h)s "%(r)s" %(s)s, %(b)s bytes, %(M)s ms'
logger_class = SiteLogger
control_socket_disable = True
