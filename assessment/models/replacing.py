"""Which judgment a new one replaces, and the refusal of one that names another than the current one."""

from __future__ import annotations

from typing import NamedTuple, Protocol
from uuid import UUID

from django.db import models
from django.db.models import Func, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.utils.translation import gettext

from trackside.errors import InputError


class ReplacesRule(models.TextChoices):
    """What the page knew of the item's judgment when the assessor gave a new one."""

    UNKNOWN = "unknown", "not said"
    NONE = "none", "no judgment"
    NAMED = "named", "the judgment in replaces"
    ANY = "any", "any judgment"


class Replaces(NamedTuple):
    """The judgment that a new one replaces; ``uuid`` is null unless the rule is NAMED."""

    rule: ReplacesRule = ReplacesRule.UNKNOWN
    uuid: UUID | None = None


NOT_SAID = Replaces()


class Replaceable(Protocol):
    """A judgment, as far as it is compared with a new one."""

    client_uuid: UUID

    @property
    def mark(self) -> int | str:
        """The grade or the reason."""


class JudgmentConflict(InputError):
    """The new judgment replaces another one than the current one; ``current`` is null if there is none."""

    def __init__(self, current: Replaceable | None) -> None:
        self.current = current
        if current is None:
            problem = gettext(
                "The grade that this one replaces was undone or not saved. Choose which one counts."
            )
        else:
            problem = gettext("You have judged this item otherwise on another page. Choose which one counts.")
        super().__init__(problem)


def check_replaces(
    replaces: Replaces, current: Replaceable | None, *, mark: int | str, is_by_rest: bool = False
) -> None:
    """Check that a new judgment with this mark replaces the current one of the item, assessor and purpose.

    An equal mark is no conflict. Judgments by rest replace nothing. A judgment of a page that does not say
    what it replaces is stored if there is no current one. Raises JudgmentConflict.
    """
    if current is None:
        if replaces.rule == ReplacesRule.NAMED:
            raise JudgmentConflict(None)
    elif mark != current.mark and (is_by_rest or not _replaces(replaces, current)):
        raise JudgmentConflict(current)


def _replaces(replaces: Replaces, current: Replaceable) -> bool:
    return replaces.rule == ReplacesRule.ANY or replaces.uuid == current.client_uuid


def pair_lock(assessor: Combinable, purpose: Combinable, topic: Combinable, docno: Combinable) -> Func:
    """Return an expression that locks a pair, assessor and purpose until the transaction ends."""
    texts = [Cast(part, models.TextField()) for part in (assessor, purpose, topic, docno)]
    key = Func(Value(" "), *texts, function="concat_ws", output_field=models.TextField())
    seeded = Func(key, Value(0), function="hashtextextended", output_field=models.BigIntegerField())
    return Func(seeded, function="pg_advisory_xact_lock", output_field=models.TextField())
