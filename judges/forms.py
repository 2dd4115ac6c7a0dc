"""Forms: starting a job, publishing its grades, making a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.core.errors import InputError
from evaluation.models import Pool
from judges.core.settings import ORIGINAL, SMALL, TRUNCATE, Settings
from judges.models import Judge, Mapping
from judges.registry import BACKENDS, backend_class

if TYPE_CHECKING:
    from evaluation.models import Task, User
    from judges.models import Job

OF_SETTINGS = (
    "backend",
    "model",
    "model_revision",
    "dtype",
    "prompt",
    "text_fields",
    "image_size",
    "long_text",
)


class JobStartForm(forms.Form):
    """A judge that takes the task's kind, and one of the task's pools, the latest first."""

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judges = Judge.objects.in_use().filter(task_kinds__contains=[task.kind])
        pools = Pool.objects.filter(task=task).order_by("-created_at")
        self.fields["judge"] = forms.ModelChoiceField(judges, empty_label=None)
        self.fields["pool"] = forms.ModelChoiceField(pools, empty_label=None)


class JobPublishForm(forms.Form):
    """A frozen mapping of the job's judge, the latest first."""

    def __init__(self, *args: Any, job: Job, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mappings = Mapping.objects.visible_to(user).filter(judge=job.judge).order_by("-created_at")
        self.fields["mapping"] = forms.ModelChoiceField(
            mappings.select_related("pool__task__track"), empty_label=None, label="Grades by"
        )


class JudgeForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new judge. ``settings`` holds its settings with all revisions once the form is valid."""

    backend = forms.ChoiceField(choices=[(name, name) for name in BACKENDS])
    model_revision = forms.CharField(
        required=False, help_text="The full commit for a model of the hub; empty for a folder on the server."
    )
    dtype = forms.ChoiceField(choices=[(name, name) for name in ("float32", "bfloat16")])
    image_size = forms.ChoiceField(
        choices=[(SMALL, "copy with a shorter side of 336 px"), (ORIGINAL, "as uploaded")]
    )
    long_text = forms.ChoiceField(
        label="Text longer than the model reads", choices=[(TRUNCATE, "cut, end token kept")]
    )

    settings: Settings

    class Meta:
        model = Judge
        fields = ("name", *OF_SETTINGS, "task_kinds")

    def clean(self) -> dict[str, Any]:
        """Ask the backend whether it can run these settings."""
        chosen = super().clean() or self.cleaned_data
        if self.errors:
            return chosen
        given = {name: chosen[name] for name in OF_SETTINGS} | {"text_fields": tuple(chosen["text_fields"])}
        try:
            self.settings = backend_class(chosen["backend"]).pinned(Settings(**given, revision=0))
        except InputError as error:
            self.add_error(None, str(error))
            return chosen
        if Judge.objects.filter(identity_sha256=self.settings.identity_sha256).exists():
            self.add_error(None, "A judge with the very same settings exists. Use it, or change a setting.")
        return chosen
