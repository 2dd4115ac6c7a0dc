"""Forms of the judging screen."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext

from assessment.core.arranging import WALL_SIZE
from assessment.models.marks import MARK_MAX, CannotJudge
from assessment.models.replacing import NOT_SAID, Replaces, ReplacesRule
from evaluation.collections.seen import Seen
from trackside.criteria import NOMINAL
from trackside.text.time_zones import EPOCH, FUTURE

A_DAY = 86_400  # seconds
REPLY = "reply_"
MOST_LOOKS = 1_000_000
MOST_WALLS = 1_000_000
NO_GRADE = rf"^({'|'.join([NOMINAL, *CannotJudge.values])}|{NOMINAL}: \S.*)$"  # the criteria have the words
LONGEST_REPLY = 2_000  # characters, as in the screen's text field


class ReplacesField(forms.Field):
    """What a judgment replaces: "none", "any", or the UUID of a judgment; absent if the page does not say."""

    def to_python(self, value: object) -> Replaces:
        """Return the rule and the UUID."""
        if value in self.empty_values:
            return NOT_SAID
        if value in (ReplacesRule.NONE, ReplacesRule.ANY):
            return Replaces(ReplacesRule(str(value)))
        return Replaces(ReplacesRule.NAMED, forms.UUIDField().clean(value))


class AgeField(forms.DateTimeField):
    """A time by the assessor's clock, which may be wrong, but only by as much as a reader can store."""

    default_validators = [MinValueValidator(EPOCH), MaxValueValidator(FUTURE)]


class NewsForm(forms.Form):
    """The time from which on the page asks for the person's own judgments."""

    since = AgeField()


class ShownForm(forms.Form):
    """An event on an item: the image and the item shown, what it replaces, and times."""

    client_uuid = forms.UUIDField()
    image_sha256 = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
    shown_sha256 = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
    seen = forms.ChoiceField(choices=Seen.choices, required=False)
    shown_at = AgeField()
    given_at = AgeField(required=False)
    replaces = ReplacesField(required=False)
    active_seconds = forms.FloatField(min_value=0, max_value=A_DAY, required=False)
    comment = forms.CharField(max_length=2000, required=False)

    def clean(self) -> dict[str, Any]:
        """Empty hash and extent if one is missing: pages of earlier releases send neither."""
        values = super().clean() or self.cleaned_data
        if not (values.get("shown_sha256") and values.get("seen")):
            values |= {"shown_sha256": "", "seen": ""}
        return values


class JudgmentForm(ShownForm):
    """One judgment from the screen: a grade, the nominal answer or a reason."""

    criteria_version = forms.IntegerField(min_value=1)
    grade = forms.IntegerField(min_value=-99, max_value=99, required=False)
    reason = forms.RegexField(NO_GRADE, max_length=MARK_MAX, empty_value=None, required=False)
    is_flagged = forms.BooleanField(required=False)
    looks_back = forms.IntegerField(min_value=0, max_value=MOST_LOOKS, required=False)
    wall = forms.IntegerField(min_value=1, max_value=MOST_WALLS, required=False)
    cell = forms.IntegerField(min_value=1, max_value=WALL_SIZE, required=False)
    is_opened = forms.BooleanField(required=False)
    is_by_rest = forms.BooleanField(required=False)
    copied_from = forms.UUIDField(required=False)

    def clean_looks_back(self) -> int:
        """Return 0 for the plain form, which does not count."""
        return self.cleaned_data["looks_back"] or 0

    def clean(self) -> dict[str, Any]:
        """Set ``mark`` to the grade or the reason, and ``replies`` to the fields with prefix ``reply_``."""
        values = super().clean()
        if values.get("wall") is None or values.get("cell") is None:
            values |= {"wall": None, "cell": None, "is_opened": False, "is_by_rest": False}
        if values["wall"] is None or values.get("is_by_rest"):
            values["copied_from"] = None
        values["replies"] = {
            name.removeprefix(REPLY): str(reply)[:LONGEST_REPLY]
            for name, reply in self.data.items()
            if name.startswith(REPLY)
        }
        if any("\0" in text for pair in values["replies"].items() for text in pair):
            raise forms.ValidationError(gettext("A reply contains a NUL character. Remove it."))
        marks = [mark for mark in (values.pop("grade", None), values.pop("reason", None)) if mark is not None]
        if len(marks) != 1 and not self.errors:
            raise forms.ValidationError(gettext("Choose a grade, or a reason why the item cannot be judged."))
        return values | {"mark": marks[0] if marks else None}


class RemarkForm(forms.Form):
    """A comment and a flag on an item."""

    client_uuid = forms.UUIDField()
    comment = forms.CharField(max_length=2000, required=False)
    is_flagged = forms.BooleanField(required=False)


class UndoForm(forms.Form):
    """The UUIDs of the judgment to undo and of the undo."""

    undoes = forms.UUIDField()
    client_uuid = forms.UUIDField()
    given_at = AgeField(required=False)
