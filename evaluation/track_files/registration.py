"""The table of a track file with the requirements for uploads of teams."""

from typing import Any

from django.core.exceptions import ValidationError

from evaluation.teams.forms import EntryRulesForm
from evaluation.teams.registration import EntryRules
from evaluation.track_files.parts import PartSchema, plain_text
from evaluation.tracks.models import Track
from evaluation.web.opened_forms import lock_row


class RegistrationPart(PartSchema):
    """What teams need before they can upload: an approval, a signed agreement."""

    needs_approval: bool = False
    agreement: str = ""


def read_registration(track: Track) -> dict[str, Any]:
    """Return the track's requirements as plain values."""
    rules = EntryRules.objects.of(track)
    return {name: getattr(rules, name) for name in RegistrationPart.model_fields}


def apply_registration(track: Track, part: RegistrationPart) -> bool:
    """Store the requirements that the file names; return whether any changed. Raises ValidationError."""
    lock_row(track)
    stored = read_registration(track)
    fields = part.model_dump(exclude_unset=True)
    # A signature holds for one text: a file has other line ends than a browser, and no new text.
    if plain_text(fields.get("agreement", "")).strip() == plain_text(stored["agreement"]).strip():
        fields.pop("agreement", None)
    if fields.items() <= stored.items():
        return False
    form = EntryRulesForm(stored | fields, instance=EntryRules.objects.of(track))
    if not form.is_valid():
        raise ValidationError(form.errors.as_data())
    form.save()
    return True
