"""What the judging screen sends, and the form that shares out topics."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django import forms
from django.db import models

from assessment.actions.find_assessors import find_assessors
from assessment.core.consolidation import Rule
from assessment.models import CannotJudge, GoldItem
from evaluation.models import Membership, Pool, Role, User

if TYPE_CHECKING:
    from evaluation.models import Task

A_DAY = 86_400  # seconds
MAX_SEED = 2**32 - 1
REPLY = "reply_"
LONGEST_REPLY = 2_000  # characters, as the screen's text field has it


class JudgmentForm(forms.Form):
    """One judgment as the screen sends it: a grade or a reason, and what was shown when."""

    client_uuid = forms.UUIDField()
    criteria_version = forms.IntegerField(min_value=1)
    image_sha256 = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
    shown_at = forms.DateTimeField()
    active_seconds = forms.FloatField(min_value=0, max_value=A_DAY, required=False)
    grade = forms.IntegerField(min_value=-99, max_value=99, required=False)
    reason = forms.TypedChoiceField(
        choices=CannotJudge.choices, coerce=CannotJudge, empty_value=None, required=False
    )
    comment = forms.CharField(max_length=2000, required=False)
    is_flagged = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Put the grade or the reason in ``mark``, and what begins with ``reply_`` in ``replies``."""
        sent = super().clean() or self.cleaned_data
        sent["replies"] = {
            name.removeprefix(REPLY): str(reply)[:LONGEST_REPLY]
            for name, reply in self.data.items()
            if name.startswith(REPLY)
        }
        given = [mark for mark in (sent.pop("grade", None), sent.pop("reason", None)) if mark is not None]
        if len(given) != 1 and not self.errors:
            raise forms.ValidationError("Choose a grade, or a reason why the item cannot be judged.")
        return sent | {"mark": given[0] if given else None}


class TrainingForm(forms.Form):
    """A grade for a training item of the task."""

    item = forms.ModelChoiceField(GoldItem.objects.none())
    grade = forms.IntegerField(min_value=-99, max_value=99)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["item"].queryset = GoldItem.objects.filter(task=task)  # type: ignore[attr-defined]


class UndoForm(forms.Form):
    """Which judgment is undone, and the undo's own number."""

    undoes = forms.UUIDField()
    client_uuid = forms.UUIDField()


class Way(models.TextChoices):
    """How a pool is shared out."""

    TOPICS = "topics", "by topic: each has an owner"
    ITEMS = "items", "item by item: everybody takes the next ones"


class TopicsAssignForm(forms.Form):
    """A pool whose topics or items are to be shared out."""

    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label=None)
    way = forms.ChoiceField(
        choices=Way.choices,
        initial=Way.TOPICS,
        required=False,
        help_text="An owner knows the whole topic, as at TREC. Item by item many can work on one topic.",
    )
    second_percent = forms.IntegerField(
        label="Topics graded twice, per cent",
        min_value=0,
        max_value=100,
        initial=25,
        help_text="Other assessors grade these topics, or items, too, to show how far people agree.",
    )
    assessor_count = forms.IntegerField(
        label="Assessors of each of these",
        min_value=2,
        max_value=9,
        initial=2,
        required=False,
        help_text="Two, unless you ask for more.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=MAX_SEED, help_text="Decides ties, and which topics are graded twice."
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pool"].queryset = Pool.objects.filter(task=task)  # type: ignore[attr-defined]
        self.fields["seed"].initial = secrets.randbelow(MAX_SEED)

    def clean_assessor_count(self) -> int:
        """Two, unless more are asked for."""
        return self.cleaned_data["assessor_count"] or 2

    @property
    def is_by_items(self) -> bool:
        """Whether the pool is to be judged item by item."""
        return bool(self.cleaned_data["way"] == Way.ITEMS)


class PublishForm(forms.Form):
    """How several grades of an item become one."""

    rule = forms.TypedChoiceField(
        label="Where several people graded an item",
        choices=[(rule.value, rule.words) for rule in Rule],
        coerce=Rule,
        empty_value=Rule.OWNER,
        required=False,
    )


class AdjudicateForm(forms.Form):
    """The head assessor's grade of one item."""

    topic = forms.CharField(max_length=255)
    docno = forms.CharField(max_length=255)
    grade = forms.IntegerField(min_value=-99, max_value=99)
    comment = forms.CharField(max_length=2000, required=False)


class HandOverForm(forms.Form):
    """Who is to settle the open disagreements, blind."""

    to = forms.ModelChoiceField(User.objects.none(), label="Third assessor", empty_label=None)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR).values("user")
        self.fields["to"].queryset = User.objects.filter(is_active=True, pk__in=members)  # type: ignore[attr-defined]


class What(models.TextChoices):
    """What can be done to an assignment."""

    PAUSE = "pause", "pause it"
    GO_ON = "go-on", "let it go on"
    REASSIGN = "reassign", "give the topic to another"
    END = "end", "close it, whatever is left"


class AssignmentChangeForm(forms.Form):
    """What to do with an assignment, and who gets its topic."""

    what = forms.ChoiceField(label="What to do", choices=What.choices, widget=forms.RadioSelect)
    to = forms.ModelChoiceField(
        User.objects.none(),
        label="New assessor",
        required=False,
        help_text="Only to give the topic to another. What a former owner has judged stands.",
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = find_assessors(pool=pool)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """A topic that is given to another needs the other."""
        sent = super().clean() or self.cleaned_data
        if sent.get("what") == What.REASSIGN and not sent.get("to") and "to" not in self.errors:
            self.add_error("to", "Choose who is to have the topic.")
        return sent
