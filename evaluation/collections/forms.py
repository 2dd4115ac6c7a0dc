"""Forms of topics and documents."""

from typing import Any

from django import forms

from evaluation.collections.blobs import Image
from evaluation.collections.models import Document, Topic
from evaluation.collections.storing import PICTURE_HELP, read_picture, store_image
from trackside.errors import InputError

NOT_PAIRS = 'Write pairs of name and text, as in [["page_title", "Tarn"], ["section_title", "Formation"]].'


class ItemForm(forms.ModelForm[Any]):
    """Ordered text fields and an optional picture, which an uploaded file replaces."""

    picture = forms.FileField(required=False, help_text=f"{PICTURE_HELP} Replaces the first image.")

    def clean_fields(self) -> Any:
        """Return the text fields. Raises ValidationError unless they are pairs with distinct names."""
        pairs = self.cleaned_data["fields"] or []
        if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
            raise forms.ValidationError(NOT_PAIRS)
        if len({name for name, _ in pairs}) < len(pairs):
            raise forms.ValidationError("Two fields have the same name. Rename or join them.")
        return pairs

    def clean_picture(self) -> Image | None:
        """Store and return the image; None if no file was uploaded."""
        file = self.cleaned_data["picture"]
        if not file:
            return None
        try:
            image: Image = store_image(content=read_picture(file=file))
        except InputError as error:
            raise forms.ValidationError(str(error)) from error
        return image

    def clean(self) -> dict[str, Any]:
        """Reject an item without content, and new content of a frozen item; set the uploaded picture."""
        chosen = super().clean() or self.cleaned_data
        has_new_text = chosen.get("fields", []) != self.initial.get("fields")
        if self.instance.pk and (has_new_text or chosen.get("picture")) and self.instance.is_frozen:
            raise forms.ValidationError(self.instance.FROZEN)
        if picture := chosen.get("picture"):
            self.instance.image = picture
        if not self.errors and not chosen["fields"] and not self.instance.image:
            raise forms.ValidationError("Give a text or a picture.")
        return chosen


def _is_pair(each: object) -> bool:
    return isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each)


class TopicForm(ItemForm):
    """A topic."""

    def clean_state(self) -> str:
        """Return the state. Raises ValidationError for a new state once the task is released."""
        state: str = self.cleaned_data["state"]
        if self.instance.pk and "state" in self.changed_data and self.instance.released_tasks().exists():
            raise forms.ValidationError("The task is released, so its active topics stay active.")
        return state

    class Meta:
        model = Topic
        fields = ("task", "number", "state", "note", "stratum", "fields")


class DocumentForm(ItemForm):
    """A document."""

    class Meta:
        model = Document
        fields = ("collection", "docno", "fields")
