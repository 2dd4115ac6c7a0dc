"""Test settings: separate servers and files, and nothing from the developer's environment.

Imported before any conftest, so it has no side effects: `tests/conftest.py` starts the servers.
"""

import os
import tempfile
from pathlib import Path

# One folder per test run: the first process names it, pytest-xdist's workers inherit the name.
TEST_VAR = os.environ.setdefault(
    "TRACKSIDE_TEST_VAR",
    str(Path(tempfile.gettempdir()).resolve() / f"trackside-test-{os.getuid()}-{os.getpid()}"),
)
for name in (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
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
    "ORCID_CLIENT_ID": "a client, so that tests cover the pages of a provider; no test calls the provider",
    # No CA certificates: no test uses TLS, and each client of an endpoint would read them all.
    "SSL_CERT_FILE": "",
    "SSL_CERT_DIR": os.devnull,
    "DATABASE_POOL_SIZE": "0",  # a database cannot be copied while a pool is connected
}

from evaluation.config.backends.blob_storage import blobs_in_folder  # noqa: E402
from evaluation.config.settings import *  # noqa: E402, F403 - needs the environment above
from evaluation.config.settings import CELERY_BROKER_URL as EMBEDDED_BROKER_URL  # noqa: E402
from evaluation.config.settings import DATABASE_OWNER, DATABASES, STORAGES  # noqa: E402

DATABASES["default"]["USER"] = DATABASE_OWNER["USER"]  # creates databases and truncates tables between tests
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = MAIL_DELIVERY_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Static files come from the apps, as with DEBUG; tests/evaluation/config/collected.py collects them.
STATIC_ROOT = None
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
# Each xdist worker (gw0, gw1 ...) uses its own numbered database of the queue and its own folder of blobs.
# Blobs with equal bytes share a file, so a test that deletes one would break tests of another worker.
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
WORKER_VAR = Path(TEST_VAR, WORKER)
STORAGES["default"] = blobs_in_folder(WORKER_VAR / "blobs", is_durable=False)
QUEUE_NUMBER = int(WORKER.removeprefix("gw")) + 1
CELERY_BROKER_URL = f"{EMBEDDED_BROKER_URL}?virtual_host={QUEUE_NUMBER}"
