"""The form that carries a wall's events."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from assessment.core.walls import WALL_SIZE
from evaluation.access.forms import JSONTextField

MOST_EVENTS = 8 * WALL_SIZE  # of one request; a browser sends more in several

MOST_PLACES = 2**31  # of the database column
KINDS = ("judgment", "undo")


class EventsForm(forms.Form):
    """Events in order, each with the place of its item, its kind and the fields of that kind's form."""

    events = JSONTextField()

    def clean_events(self) -> list[dict[str, Any]]:
        """Check the shape; the forms of the kinds check the fields."""
        events = self.cleaned_data["events"]
        if not isinstance(events, list) or len(events) > MOST_EVENTS or not all(map(_is_event, events)):
            raise forms.ValidationError(gettext("The judgments cannot be read. Load the page again."))
        return events


def _is_event(event: object) -> bool:
    if not isinstance(event, dict) or not isinstance(event.get("fields"), dict):
        return False
    place = event.get("place")
    has_item = isinstance(place, int) and 0 < place < MOST_PLACES and event.get("kind") in KINDS
    return has_item and all(isinstance(value, str) for value in event["fields"].values())
