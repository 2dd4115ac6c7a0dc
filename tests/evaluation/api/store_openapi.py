"""Store the schema of the API as it is now: ``python -m tests.evaluation.api.store_openapi``."""

import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
    django.setup()
    from tests.evaluation.api.schemas import STORED, live

    STORED.write_text(live())
