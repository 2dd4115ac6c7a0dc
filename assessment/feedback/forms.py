"""Forms of feedback."""

from django import forms


class FeedbackForm(forms.Form):
    """The words that open the feedback of a task."""

    words = forms.CharField(max_length=200)


class NoteForm(forms.Form):
    """A note on a settled item, for the assessors who graded it otherwise."""

    topic = forms.CharField(max_length=255)
    docno = forms.CharField(max_length=255)
    words = forms.CharField(max_length=2000, required=False, help_text="Empty: no note.")
