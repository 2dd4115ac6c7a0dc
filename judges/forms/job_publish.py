"""Publishing a job's grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Case, When

from judges.models import Mapping

if TYPE_CHECKING:
    from evaluation.models import User
    from judges.models import Job


class JobPublishForm(forms.Form):
    """A frozen mapping of the job's judge: those fitted on the job's own pool first, then the latest."""

    def __init__(self, *args: Any, job: Job, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mappings = Mapping.objects.visible_to(user).filter(judge=job.judge)
        own_pool_first = Case(When(pool=job.pool_id, then=0), default=1)
        self.fields["mapping"] = forms.ModelChoiceField(
            mappings.select_related("pool__task__track").order_by(own_pool_first, "-created_at"),
            empty_label=None,
            label="Grades by",
        )
