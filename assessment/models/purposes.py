"""Why somebody judges a topic, and why an item is shown."""

from django.db import models


class AssignmentKind(models.TextChoices):
    """The purpose of an assignment's grades."""

    OWNER = "owner", "qrels"
    SECOND = "second", "agreement"
    ITEMS = "items", "qrels and agreement, item by item"
    ADJUDICATION = "adjudication", "adjudication"


class Purpose(models.TextChoices):
    """Why an item is shown. Assessors do not see it: all items look alike."""

    WORK = "work", "of the pool"
    REPEAT = "repeat", "shown a second time"
    GOLD = "gold", "with a known grade"
    ADJUDICATION = "adjudication", "graded differently by others"
    EXTRA = "extra", "shown before somebody else got the item or the topic was withdrawn"


NOT_SHOWN = (Purpose.ADJUDICATION, Purpose.EXTRA)
"""Purposes of judgments that are not requested by an assignment's items."""
