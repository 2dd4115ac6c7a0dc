"""Forms of topics and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.actions.store_image import store_image
from evaluation.core.errors import InputError
from evaluation.models import Document, Topic

if TYPE_CHECKING:
    from evaluation.models import Image

NOT_PAIRS = 'Write pairs of name and text, as in [["page_title", "Tarn"], ["section_title", "Formation"]].'


class ItemForm(forms.ModelForm[Any]):
    """Ordered text fields and an optional picture, which a file given here replaces."""

    picture = forms.FileField(required=False, help_text="JPEG, PNG or WEBP. Replaces the image there is.")

    def clean_fields(self) -> Any:
        """The text fields, if they are pairs of two texts with different names."""
        pairs = self.cleaned_data["fields"] or []
        if not isinstance(pairs, list) or not all(_is_pair(each) for each in pairs):
            raise forms.ValidationError(NOT_PAIRS)
        if len({name for name, _ in pairs}) < len(pairs):
            raise forms.ValidationError("Two fields have the same name. Rename or join them.")
        return pairs

    def clean_picture(self) -> Image | None:
        """The stored image, or None when no file came."""
        file = self.cleaned_data["picture"]
        if not file:
            return None
        try:
            image: Image = store_image(content=file.read())
        except InputError as error:
            raise forms.ValidationError(str(error)) from error
        return image

    def clean(self) -> dict[str, Any]:
        """Refuse an item without text and image; take over the picture."""
        chosen = super().clean() or self.cleaned_data
        if picture := chosen.get("picture"):
            self.instance.image = picture
        if not self.errors and not chosen["fields"] and not self.instance.image:
            raise forms.ValidationError("Give a text or a picture.")
        return chosen


def _is_pair(each: object) -> bool:
    return isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each)


class TopicForm(ItemForm):
    """A topic."""

    class Meta:
        model = Topic
        fields = ("task", "number", "state", "note", "fields")


class DocumentForm(ItemForm):
    """A document."""

    class Meta:
        model = Document
        fields = ("collection", "docno", "fields")
