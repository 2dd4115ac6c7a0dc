"""Take a judge out of use."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import User
from judges.models import Judge

logger = logging.getLogger(__name__)


class JudgeRetiredBefore(InputError):
    """The judge is out of use already."""


@transaction.atomic
def retire_judge(*, judge: Judge, by: User) -> None:
    """Let the judge take no new jobs; those it has go on. Raises JudgeRetiredBefore."""
    if not Judge.objects.in_use().filter(pk=judge.pk).update(retired_at=Now()):
        raise JudgeRetiredBefore(f'The judge "{judge}" is retired already.')
    with bound(judge=judge.pk, user=by.pk):
        logger.info("judge retired")
