"""The table in which organizers set family, type, depth and priority of all runs at once."""

from typing import Any

from django import forms
from django.forms.models import BaseModelFormSet, modelformset_factory

from evaluation.runs.families import Family
from evaluation.runs.models import Run
from evaluation.tracks.models import Task


class RunSettingsForm(forms.ModelForm[Run]):
    """One line of the table."""

    class Meta:
        model = Run
        fields = ("families", "type", "pool_depth", "pool_priority")
        widgets = {"families": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, families: list[tuple[int, str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_task = Family.objects.filter(task=self.instance.task_id)
        self.fields["families"].queryset = of_task  # type: ignore[attr-defined]
        if families is not None:  # read once for all lines
            self.fields["families"].choices = families  # type: ignore[attr-defined]
        for name in self.fields:
            self.fields[name].label = f"{self.fields[name].label} of {self.instance}"


RunSettings = modelformset_factory(Run, form=RunSettingsForm, formset=BaseModelFormSet, extra=0)


def settings_of(task: Task, sent: Any = None) -> BaseModelFormSet[Run, RunSettingsForm]:
    """Return the table of the task's accepted runs, by team and tag."""
    runs = Run.objects.accepted().filter(task=task).select_related("team").prefetch_related("families")
    families = list(Family.objects.filter(task=task).values_list("pk", "name"))
    return RunSettings(sent, queryset=runs.order_by("team__name", "tag"), form_kwargs={"families": families})
