"""Why somebody judges a topic, why an item is shown, and what an adjudicator saw first."""

from django.db import models
from django.utils.translation import gettext_lazy


class AssignmentKind(models.TextChoices):
    """The purpose of an assignment's grades."""

    OWNER = "owner", "qrels"
    SECOND = "second", "agreement"
    ITEMS = "items", "qrels and agreement, item by item"
    ADJUDICATION = "adjudication", "adjudication"
    CHECK = "check", "a third person's check"


class AdjudicationMode(models.TextChoices):
    """Whether an adjudicator saw the grades on record before grading."""

    BLIND = "blind", gettext_lazy("blind")
    OPEN = "open", gettext_lazy("with the grades on record in view")


class Purpose(models.TextChoices):
    """Why an item is shown. Assessors do not see it: all items look alike."""

    WORK = "work", "of the pool"
    REPEAT = "repeat", "shown a second time"
    GOLD = "gold", "with a known grade"
    ADJUDICATION = "adjudication", "graded differently by others"
    CHECK = "check", "graded by a third person, not for qrels"
    EXTRA = "extra", "shown before somebody else got the item or the topic was withdrawn"


NOT_SHOWN = (Purpose.ADJUDICATION, Purpose.EXTRA, Purpose.CHECK)
"""Purposes of judgments that neither an assignment for qrels asks for nor measures of people count."""
APART = (AssignmentKind.ADJUDICATION, AssignmentKind.CHECK)
"""Kinds of assignments of single items, in an order of their own and never on walls."""
