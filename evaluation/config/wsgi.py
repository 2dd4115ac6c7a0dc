"""The WSGI application that gunicorn serves."""

import os
import sys
from importlib import import_module

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import reverse

from evaluation.config.backends.static_files import collect_static_files
from evaluation.platform.web.refused_requests import utf_8_only
from evaluation.running.hosting.addresses import prepare_for_web

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

# After a database call a thread waits up to this long for the GIL. A judgment makes ten such calls; with
# Python's default of 5 ms, concurrent requests of one process wait longer for each other than they run.
sys.setswitchinterval(0.0005)

django.setup()
# Only web processes have a limit on statements, so that no page blocks the database, and only they may use a
# pooler: with it, workers would lose their advisory locks.
prepare_for_web(
    connections.settings["default"],
    pooler_url=settings.DATABASE_POOLER_URL,
    statement_seconds=settings.STATEMENT_SECONDS,
)
collect_static_files()  # before the application is created, because it lists the files
application = utf_8_only(get_wsgi_application())
# Load the URLconf and views once, before the workers fork; otherwise each does it at its first request. The
# page of judging quality needs scipy.stats: 0.7 s and 54 MB.
reverse("home")
import_module("scipy.stats")
