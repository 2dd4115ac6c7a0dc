"""The form that asks for a third person's pool."""

from django import forms


class ThirdForm(forms.Form):
    """A judge of the report and a family of runs."""

    judge = forms.CharField(max_length=60)
    family = forms.CharField(max_length=255)
