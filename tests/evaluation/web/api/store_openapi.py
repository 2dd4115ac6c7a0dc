"""Store the schema of the API as it is now: ``python -m tests.evaluation.web.api.store_openapi``."""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
    django.setup()
    from tests.evaluation.web.api.schemas import STORED, live

    STORED.write_text(live())
