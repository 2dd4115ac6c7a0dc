"""Forms of uploads, descriptions and settings of runs, of later closes, teams and questions."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Q
from django.forms.models import BaseModelFormSet, modelformset_factory

from evaluation.platform.access.people import User, organizes
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.late_exceptions import REASON_MAX
from evaluation.submissions.runs.models import Run, RunType
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.submissions.teams.models import Team
from evaluation.tracks.forms import LocalDateField
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.text.replies import LONGEST
from trackside.text.time_zones import localize, zone_title

REPLY = "reply_"
"""Prefix of a question's field, so that its name does not collide with other fields."""


class RunDescriptionForm(forms.Form):
    """Kind, backbone, family and description of a run, and a field for each question of its task."""

    type = forms.ChoiceField(
        label="Run type",
        choices=[("", "not stated"), *RunType.choices],
        required=False,
        help_text="Manual: a person changed or selected topics or results.",
    )
    backbone = forms.CharField(
        max_length=120,
        required=False,
        help_text="The model that the system builds on, such as CLIP ViT-L/14.",
    )
    suggested_family = forms.CharField(
        label="Family",
        max_length=60,
        required=False,
        help_text="Your suggestion, such as CLIP-based. The organizers decide.",
    )
    description = forms.CharField(
        max_length=4000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text="What the system does, in a few sentences. Organizers read it; others after the release.",
    )

    def __init__(self, *args: Any, task: Task, needs_replies: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if families := list(task.families.values_list("name", flat=True)):
            suggested = self.initial.get("suggested_family") or families[0]
            names = dict.fromkeys([*families, suggested])
            choices = [("", "not stated"), *((name, name) for name in names)]
            self.fields["suggested_family"].widget = forms.Select(choices=choices)
        self.questions = list(task.submission_questions.all())
        for question in self.questions:
            self.fields[REPLY + question.name] = _field(question, needs_reply=needs_replies)

    @property
    def described(self) -> dict[str, Any]:
        """Return the form's values as keyword arguments of ``receive_run`` and ``edit_run``."""
        values = {name: self.cleaned_data[name] for name in RunDescriptionForm.base_fields}
        replies = {question.name: self.cleaned_data[REPLY + question.name] for question in self.questions}
        return values | {"replies": replies}


def description_of(run: Run) -> dict[str, str]:
    """Return the form's initial values for a run."""
    values = {name: getattr(run, name) for name in RunDescriptionForm.base_fields}
    return values | {REPLY + name: reply for name, reply in run.replies.items()}


def _field(question: SubmissionQuestion, *, needs_reply: bool) -> forms.Field:
    is_required = question.is_required and needs_reply
    if question.options:
        choices = [("", "not stated"), *((option, option) for option in question.options)]
        return forms.ChoiceField(label=question.text, choices=choices, required=is_required)
    return forms.CharField(
        label=question.text, max_length=LONGEST, required=is_required, widget=forms.Textarea({"rows": 2})
    )


class RunUploadForm(RunDescriptionForm):
    """A run file, its team and its description."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    file = forms.FileField(
        label="Run file",
        help_text="Six columns per line: topic, Q0, docno, rank, score, tag. Plain, .gz, .zst or .bz2.",
    )
    field_order = ("team", "file")

    def __init__(self, *args: Any, task: Task, by: User, **kwargs: Any) -> None:
        teams = teams_to_upload_for(task, by)
        # Baselines need no replies; before the form is submitted, an organizer's choice of team is unknown.
        has_baselines = teams.filter(is_baseline=True).exists()
        super().__init__(*args, task=task, needs_replies=not has_baselines, **kwargs)
        self.fields["team"].queryset = teams  # type: ignore[attr-defined]


def teams_to_upload_for(task: Task, by: User) -> Any:
    """Return the person's teams in the task's track; for organizers also its baseline teams."""
    ways = Q(pk__in=Team.objects.of_member(by).values("pk"))
    if organizes(by, task.track_id):
        ways |= Q(is_baseline=True)
    return Team.objects.filter(ways, track=task.track)


class LateExceptionForm(forms.Form):
    """A later close for one team, in the task's time zone."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    closes_at = LocalDateField(label="Accepts runs until", required=True)
    reason = forms.CharField(
        max_length=REASON_MAX,
        widget=forms.Textarea({"rows": 2}),
        help_text="Organizers and the team read it. The leaderboard shows only: late, with an exception.",
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(task.time_zone)
        self.fields["team"].queryset = Team.objects.filter(track=task.track_id)  # type: ignore[attr-defined]
        self.fields["closes_at"].help_text = f"In the task's time zone, {zone_title(task.time_zone)}."

    def clean_closes_at(self) -> datetime:
        """Localize the end in the task's zone."""
        try:
            return localize(self.cleaned_data["closes_at"], self.zone)
        except InputError as error:
            raise forms.ValidationError(str(error)) from error


LIMIT = "limit_"  # the beginning of the name of a task's field


class TeamForm(forms.ModelForm[Team]):
    """A team's name, whether it is the baselines', and how many runs it may have in each task."""

    class Meta:
        model = Team
        fields = ("name", "is_baseline")
        labels = {"is_baseline": "The organizers' baselines"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = dict(self.instance.limits.values_list("task", "max_runs"))
        for task in Task.objects.filter(track=self.instance.track).order_by("pk"):
            self.fields[f"{LIMIT}{task.pk}"] = forms.IntegerField(
                initial=limits[task.pk] or 0 if task.pk in limits else None,
                label=f"Accepted runs in {task}, at most",
                required=False,
                min_value=0,
                max_value=32_767,
                help_text=f"Empty: as for all teams, {task.max_runs or 'any number'}. 0: any number.",
            )

    def save(self, commit: bool = True) -> Team:  # noqa: FBT001, FBT002 - Django's own signature
        """Store the team and its limits; an empty one is that of the task."""
        for task in Task.objects.filter(track=self.instance.track):
            sent = self.cleaned_data.get(f"{LIMIT}{task.pk}")
            if sent is None:
                self.instance.limits.filter(task=task).delete()
            else:
                self.instance.limits.update_or_create(task=task, defaults={"max_runs": sent or None})
        return super().save(commit=commit)


class SubmissionQuestionForm(forms.ModelForm[SubmissionQuestion]):
    """A question on the submission form."""

    class Meta:
        model = SubmissionQuestion
        fields = ("place", "name", "text", "choices", "is_required")

    def clean(self) -> dict[str, Any]:
        """Reject a change of the name once there are replies, which are stored under it."""
        chosen = super().clean() or self.cleaned_data
        if "name" in self.changed_data:
            before = self.initial["name"]
            if Run.objects.filter(task=self.instance.task, replies__has_key=before).exists():
                self.add_error("name", f"Runs have replies under the name '{before}'. Keep it.")
        return chosen


class RunSettingsForm(forms.ModelForm[Run]):
    """One line of the table."""

    class Meta:
        model = Run
        fields = ("families", "type", "pool_depth", "pool_priority")
        widgets = {"families": forms.CheckboxSelectMultiple}

    def __init__(
        self,
        *args: Any,
        families: list[tuple[int, str]] | None = None,
        has_pools: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not has_pools:
            del self.fields["pool_depth"], self.fields["pool_priority"]
        of_task = Family.objects.filter(task=self.instance.task_id)
        self.fields["families"].queryset = of_task  # type: ignore[attr-defined]
        if families is not None:  # read once for all lines
            self.fields["families"].choices = families  # type: ignore[attr-defined]
        folded = {name.casefold(): pk for pk, name in families or of_task.values_list("pk", "name")}
        suggested = folded.get(self.instance.suggested_family.casefold())
        self.is_suggested = bool(suggested) and not self.instance.families.all()
        if self.is_suggested:
            self.initial["families"] = [suggested]
        for name in self.fields:
            self.fields[name].label = f"{self.fields[name].label} of {self.instance}"

    @property
    def changed_data(self) -> list[str]:
        """Return the changed fields; a family that is ticked as the team suggested counts as one."""
        return [*super().changed_data, *(["families"] if self.is_suggested else [])]


RunSettings = modelformset_factory(Run, form=RunSettingsForm, formset=BaseModelFormSet, extra=0)


def settings_of(task: Task, sent: Any = None) -> BaseModelFormSet[Run, RunSettingsForm]:
    """Return the table of the task's accepted runs, by team and tag."""
    runs = Run.objects.accepted().filter(task=task).select_related("team").prefetch_related("families")
    families = list(Family.objects.filter(task=task).values_list("pk", "name"))
    options = {"families": families, "has_pools": not task.is_practice}
    return RunSettings(sent, queryset=runs.order_by("team__name", "tag"), form_kwargs=options)
