"""Reads the Dockerfile."""

import re
from pathlib import Path

from django.conf import settings


def dockerfile_stages() -> dict[str, list[str]]:
    """The instructions of each stage, those of the stages below included."""
    text = Path(settings.ROOT, "docker/Dockerfile").read_text().replace("\\\n", " ")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if start := re.match(r"FROM (\S+) AS (\w+)", line):
            name = start[2]
            found[name] = [*found.get(start[1], []), line]
        elif line and not line.startswith("#"):
            found[name].append(line)
    return found
