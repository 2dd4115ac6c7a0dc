"""Forms of the plan of judging, of extra questions and of gold items."""

from typing import Any

from django import forms

from assessment.models.gold import GoldItem, GoldUse
from assessment.models.plan import ExtraQuestion, JudgingPlan
from evaluation.organizing.setup.forms import QuestionForm
from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.web.opened_forms import OpenedForm
from evaluation.tracks.models import Task


class PlanForm(OpenedForm[JudgingPlan]):
    """Shares of mixed-in items, the exam, the lease and the surface."""

    owner = "task"
    single_people = forms.ModelMultipleChoiceField(
        User.objects.none(),
        label="Judge one by one all the same",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="People who get no walls in a task with walls, also those for whom walls lost too much.",
    )

    class Meta:
        model = JudgingPlan
        fields = (
            "gold_percent",
            "repeat_percent",
            "pass_percent",
            "lease_minutes",
            "surface",
            "wall_loss_percent",
            "single_people",
        )
        labels = {
            "gold_percent": "Gold items mixed in, per cent",
            "repeat_percent": "Items shown twice, per cent",
            "pass_percent": "To pass the exam, per cent",
            "lease_minutes": "Lease, minutes",
            "surface": "Assessors see the items",
            "wall_loss_percent": "Loss that ends walls for a person, per cent",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Membership.objects.filter(track=self.instance.task.track_id, role=Role.ASSESSOR)
        people = User.objects.filter(pk__in=members.values("user")).order_by("name", "email")
        self.fields["single_people"].queryset = people  # type: ignore[attr-defined]
        for name in ("surface", "wall_loss_percent"):
            self.fields[name].required = False  # a form without it keeps the stored one

    def clean_single_people(self) -> list[int]:
        """Return the people's keys."""
        return [person.pk for person in self.cleaned_data["single_people"]]


class ExtraQuestionForm(QuestionForm):
    """An extra question for assessors."""

    class Meta(QuestionForm.Meta):
        model = ExtraQuestion
        fields = ("text", "name", "choices", "is_required", "is_once_a_wall")

    def __init__(self, values: Any = None, *, task: Task, **kwargs: Any) -> None:
        place = ExtraQuestion.objects.filter(task=task).count() + 1
        super().__init__(values, task=task, place=place, **kwargs)


class GoldChoiceForm(forms.Form):
    """The topic, and the words to search for in documents, of the page on gold items."""

    topic = forms.CharField(required=False, max_length=255)
    words = forms.CharField(required=False, max_length=200)
    use = forms.ChoiceField(choices=GoldUse, required=False)
    after = forms.CharField(required=False, max_length=255, strip=False)


class GoldForm(forms.Form):
    """The grade of one pair, its use and the reason."""

    topic = forms.CharField(max_length=255, strip=False)
    docno = forms.CharField(max_length=255, strip=False)
    grade = forms.IntegerField(min_value=0, max_value=100)
    use = forms.ChoiceField(choices=GoldUse)
    explanation = forms.CharField(required=False, max_length=2000)


def gold_item(task: Task, values: dict[str, Any]) -> GoldItem:
    """Return the task's gold item of the pair, stored or new, with the values of the form."""
    item = GoldItem.objects.filter(task=task, topic=values["topic"], docno=values["docno"]).first()
    item = item or GoldItem(task=task, topic=values["topic"], docno=values["docno"])
    item.grade, item.use, item.explanation = values["grade"], values["use"], values["explanation"]
    return item
