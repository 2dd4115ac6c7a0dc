"""The forms of a question to the organizers, and of their answer."""

from typing import Any

from django import forms
from django.utils.html import linebreaks

from evaluation.tracks.inquiries.models import QUESTION_MAX, Inquiry


class QuestionForm(forms.Form):
    """The text of a question."""

    text = forms.CharField(
        label="Your question",
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto", "maxlength": QUESTION_MAX}),
        help_text=f"At most {QUESTION_MAX:,} characters. The organizers read it with your name. They may "
        "answer all teams, who then read it without your name. Assessors never see it.",
    )


class AnswerForm(forms.ModelForm[Inquiry]):
    """The answer, and whether all teams read it."""

    class Meta:
        model = Inquiry
        fields = ("answer", "is_public")
        widgets = {"answer": forms.Textarea(attrs={"rows": 4, "dir": "auto"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["answer"].required = True
        if self.instance.pk:
            self.fields["answer"].help_text = linebreaks(self.instance.text, autoescape=True)
