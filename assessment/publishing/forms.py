"""The form that publishes judgments."""

from django import forms

from assessment.core.consolidation import ConsolidationRule


class PublishForm(forms.Form):
    """The rule that makes one grade of several."""

    rule = forms.TypedChoiceField(
        label="Where several people graded an item",
        choices=[(rule.value, rule.words) for rule in ConsolidationRule],
        coerce=ConsolidationRule,
        empty_value=ConsolidationRule.OWNER,
        required=False,
    )
