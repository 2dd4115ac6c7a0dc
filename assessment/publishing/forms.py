"""The form that publishes judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from assessment.core.consolidation import Rule

if TYPE_CHECKING:
    pass


class PublishForm(forms.Form):
    """The rule that makes one grade of several."""

    rule = forms.TypedChoiceField(
        label="Where several people graded an item",
        choices=[(rule.value, rule.words) for rule in Rule],
        coerce=Rule,
        empty_value=Rule.OWNER,
        required=False,
    )
