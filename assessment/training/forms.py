"""The form of a training item."""

from django import forms


class TrainingForm(forms.Form):
    """A grade, and the UUID that its receipt repeats."""

    client_uuid = forms.UUIDField()
    grade = forms.IntegerField(min_value=-99, max_value=99)
