"""Remarks: assessors' comments and flags beside their grades."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from assessment.models.aggregate_updates import AGGREGATE_VARIABLES, UPDATE_AGGREGATES
from assessment.models.judgment import EventQuerySet, Judgment
from assessment.models.purposes import Purpose
from assessment.models.replacing import ReplacesRule
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task


class Remark(models.Model):
    """One event: an assessor sets the comment and the flag of an item.

    Events are append-only and name topic and docno, as judgments do. A judgment stores the comment and the
    flag at its time; a later remark replaces both. An item without a judgment may have remarks, too.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="remarks")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.WORK)
    assessor = models.ForeignKey(User, models.PROTECT, related_name="remarks")
    comment = models.TextField(blank=True)
    is_flagged = models.BooleanField("flagged", default=False, help_text="Organizers look at flagged items.")
    client_uuid = models.UUIDField(unique=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = EventQuerySet["Remark"].as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["task", "topic", "docno", "assessor"], name="remark_pair")]
        triggers = [
            pgtrigger.Protect(name="remarks_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="remarks_are_kept_in_short",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                declare=AGGREGATE_VARIABLES,
                func=UPDATE_AGGREGATES,
            ),
        ]

    def __str__(self) -> str:
        return (
            f"{self.topic} {self.docno}: {self.comment or ('flagged' if self.is_flagged else 'no comment')}"
        )


def apply_remarks(judgments: Iterable[Judgment], remarks: Iterable[Remark]) -> list[Remark]:
    """Set the comment and the flag of each judgment in memory to those of a later remark on its item.

    Return the remarks on items without a judgment by the same assessor.
    """
    latest = {_item_of(remark): remark for remark in remarks}
    judged = set()
    for judgment in judgments:
        judged.add(_item_of(judgment))
        remark = latest.get(_item_of(judgment))
        if remark and remark.made_at >= judgment.judged_at:
            judgment.comment, judgment.is_flagged = remark.comment, remark.is_flagged
    return [remark for item, remark in latest.items() if item not in judged]


def leaves_words(event: Judgment, current: UUID | None) -> bool:
    """Whether a new judgment leaves comment and flag as they are; ``current`` is the UUID of the current one.

    A page's script, which alone sends ``given_at``, sends each change of them as a remark before that,
    and may not know what others have stored. Other pages send them with the judgment, but for walls and for
    pages that do not know the current judgment.
    """
    if event.purpose == Purpose.EXTRA or event.replaces_rule == ReplacesRule.ANY:
        return False
    is_unknown = current is not None and event.replaces != current
    is_on_wall = event.wall is not None and not event.is_opened
    has_words = event.comment or event.is_flagged
    return event.given_at is not None or (not has_words and (is_unknown or is_on_wall))


def keep_words(event: Judgment, judgments: list[Judgment], remarks: Iterable[Remark]) -> None:
    """Give a new judgment the comment and flag of the current one, or of a later remark, if there is any."""
    for latest in judgments + apply_remarks(judgments, remarks):
        event.comment, event.is_flagged = latest.comment, latest.is_flagged


def _item_of(event: Judgment | Remark) -> tuple[Any, ...]:
    return (event.assessor_id, event.topic, event.docno, event.purpose)
