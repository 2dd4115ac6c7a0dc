"""The stored schema of the API and that of the code."""

import json
from pathlib import Path

from evaluation.config.api import api

STORED = Path(__file__).with_name("openapi-v1.json")


def live() -> str:
    return json.dumps(api.get_openapi_schema(), indent=1, ensure_ascii=False) + "\n"
