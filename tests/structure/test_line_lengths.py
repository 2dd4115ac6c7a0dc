"""No line of our templates, style sheets and scripts is longer than 120 characters: formatters leave some."""

from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
LONGEST = 120
# Not */static: a site that ran here left its collected files in var/static.
KINDS = (
    "templates/**/*.html",
    "templates/**/*.txt",
    *(f"{app}/static/**/*.{suffix}" for app in ("assessment", "evaluation") for suffix in ("css", "js")),
)


def long_lines(folder: Path, kind: str) -> list[str]:
    """File and number of each line that is too long."""
    return [
        f"{path.relative_to(folder)}:{number}"
        for path in sorted(folder.glob(kind))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_lines_have_at_most_120_characters(kind: str) -> None:
    assert list(ROOT.glob(kind))
    assert long_lines(ROOT, kind) == []


def test_long_line_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(f"{'é' * LONGEST}\n{'é' * LONGEST}.\n")
    assert long_lines(tmp_path, "*.css") == ["a.css:2"]
