"""The stored schema of the API and that of the code.

``python -m tests.evaluation.platform.web.api.schemas`` stores it as it is now.
"""

import json
import os
from pathlib import Path

import django

STORED = Path(__file__).with_name("openapi-v1.json")


def live() -> str:
    from evaluation.config.api import api

    return json.dumps(api.get_openapi_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings_test")
    django.setup()
    STORED.write_text(live())
