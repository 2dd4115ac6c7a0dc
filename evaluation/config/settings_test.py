"""Settings of the tests: servers and files of their own, and nothing of the developer's environment.

Loaded before any conftest, so it only computes: the servers are started by `tests/conftest.py`.
"""

import os
import tempfile
from pathlib import Path

# One folder a test run: the first process names it, pytest-xdist's workers inherit the name.
TEST_VAR = os.environ.setdefault(
    "TRACKSIDE_TEST_VAR",
    str(Path(tempfile.gettempdir()).resolve() / f"trackside-test-{os.getuid()}-{os.getpid()}"),
)
for name in (
    "DATABASE_URL",
    "BROKER_URL",
    "SITE_URL",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "DEBUG",
    "EMAIL_HOST",
    "OIDC_CLIENT_ID",
    "GITHUB_CLIENT_ID",
    "S3_BUCKET",
):
    os.environ.pop(name, None)
os.environ |= {
    "TRACKSIDE_ENV_FILE": os.devnull,
    "TRACKSIDE_VAR": TEST_VAR,
    "SECRET_KEY": "a fixed key, so that loading these settings writes no file; it signs test sessions only",
    "ORCID_CLIENT_ID": "a client, so that tests meet the pages of a provider; nothing asks it",
    "DATABASE_POOL_SIZE": "0",  # a database cannot be copied while a pool holds it
}

from evaluation.config.settings import *  # noqa: E402, F403 - the environment above must stand first
from evaluation.config.settings import CELERY_BROKER_URL as EMBEDDED_BROKER_URL  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = MAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Else each test's client lists all static files before its first request; one test does.
WHITENOISE_AUTOREFRESH = True
# Each xdist worker (gw0, gw1 ...) has a numbered database of the queue to itself.
QUEUE_NUMBER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) + 1
CELERY_BROKER_URL = f"{EMBEDDED_BROKER_URL}?virtual_host={QUEUE_NUMBER}"
