"""What a team says of a run: how it was made, and its replies to the task's questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.core.replies import LONGEST
from evaluation.models import Run, RunType

if TYPE_CHECKING:
    from evaluation.models import SubmissionQuestion, Task

REPLY = "reply_"
"""Fields of questions begin with it, so that no question's name meets another field's."""


class RunDescriptionForm(forms.Form):
    """Kind, backbone, family and description of a run, and a field for each question of its task."""

    type = forms.ChoiceField(
        label="Run type",
        choices=[("", "not said"), *RunType.choices],
        required=False,
        help_text="Manual: a person changed topics or results, or chose among them.",
    )
    backbone = forms.CharField(
        max_length=120,
        required=False,
        help_text="The model that the system rests on, such as CLIP ViT-L/14.",
    )
    suggested_family = forms.CharField(
        label="Family",
        max_length=60,
        required=False,
        help_text="What you would call its kind, such as CLIP-based. The organizers decide.",
    )
    description = forms.CharField(
        max_length=4000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text="What the system does, in a few sentences. Organizers read it; others after the release.",
    )

    def __init__(self, *args: Any, task: Task, needs_replies: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = list(task.submission_questions.all())
        for question in self.questions:
            self.fields[REPLY + question.name] = _field(question, needs_reply=needs_replies)

    @property
    def described(self) -> dict[str, Any]:
        """What the form says, as the arguments of the actions that take it."""
        said = {name: self.cleaned_data[name] for name in RunDescriptionForm.base_fields}
        replies = {each.name: self.cleaned_data[REPLY + each.name] for each in self.questions}
        return said | {"replies": replies}


def description_of(run: Run) -> dict[str, str]:
    """The form's initial values for a run."""
    said = {name: getattr(run, name) for name in RunDescriptionForm.base_fields}
    return said | {REPLY + name: reply for name, reply in run.replies.items()}


def _field(question: SubmissionQuestion, *, needs_reply: bool) -> forms.Field:
    is_required = question.is_required and needs_reply
    if question.options:
        choices = [("", "not said"), *((each, each) for each in question.options)]
        return forms.ChoiceField(label=question.text, choices=choices, required=is_required)
    return forms.CharField(
        label=question.text, max_length=LONGEST, required=is_required, widget=forms.Textarea({"rows": 2})
    )
