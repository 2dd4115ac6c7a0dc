"""Ask when a judge's model will be shut down."""

from __future__ import annotations

import logging
import os

from evaluation.core.log_context import bound
from judges.core.endpoints import fetch_shutdown_date
from judges.models import Judge

logger = logging.getLogger(__name__)


def ask_shutdown(*, judge_id: int) -> None:
    """Keep the date that the judge's endpoint tells; one that tells none leaves what it told before."""
    judge = Judge.objects.get(pk=judge_id)
    told = fetch_shutdown_date(judge.settings, os.environ)
    if told and told != judge.shutdown_on:
        Judge.objects.filter(pk=judge.pk).update(shutdown_on=told)
        with bound(judge=judge.pk):
            logger.warning("the model of %s will be shut down on %s", judge, told)
