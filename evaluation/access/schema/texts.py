"""Text fields with a maximum length, because public pages show them."""

from typing import Any

from django.core.validators import MaxLengthValidator
from django.db import models

LEAD_MAX = 5000  # characters
MARKDOWN_MAX = 50_000  # characters; rendering them takes half a second at most


def lead_field(**options: Any) -> models.TextField[str, str]:
    """Return an optional field of a short text."""
    return models.TextField(blank=True, validators=[MaxLengthValidator(LEAD_MAX)], **options)


def markdown_field(**options: Any) -> models.TextField[str, str]:
    """Return an optional field of a text in Markdown."""
    return models.TextField(blank=True, validators=[MaxLengthValidator(MARKDOWN_MAX)], **options)
