"""Forms of topics, documents and pictures of guidelines."""

from typing import Any

from django import forms

from evaluation.collections.blobs import Image
from evaluation.collections.models import CREDIT_MAX, NEW_STATES, Document, Topic, TopicState
from evaluation.collections.storing import PICTURE_HELP, read_picture, store_image
from trackside.errors import InputError

TEXT = "text_"  # the beginning of the name of a text's field


class ItemForm(forms.ModelForm[Any]):
    """The texts of an item, and an optional picture, which an uploaded file replaces."""

    picture = forms.FileField(required=False, help_text=f"{PICTURE_HELP} Replaces the first image.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for index, (name, text) in enumerate(self.instance.fields):
            self.fields[f"{TEXT}{index}"] = forms.CharField(
                initial=text,
                label=name,
                required=False,
                strip=False,
                widget=forms.Textarea({"rows": 1 + min(len(text) // 80, 9)}),
            )

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
        """Reject an item without content, and new content of a frozen item; set texts and picture."""
        sent = super().clean() or self.cleaned_data
        texts = [
            [name, _as_stored(text, sent.get(f"{TEXT}{index}", text))]
            for index, (name, text) in enumerate(self.instance.fields)
        ]
        picture = sent.get("picture")
        if (texts != self.instance.fields or picture) and self.instance.is_frozen:
            raise forms.ValidationError(self.instance.FROZEN)
        self.instance.fields, self.instance.image = texts, picture or self.instance.image
        if not self.instance.image and not any(text.strip() for _, text in texts):
            raise forms.ValidationError("Give a text or a picture.")
        return sent


def _as_stored(stored: str, sent: str) -> str:
    """Return the text sent, with line feeds; the stored one if only line ends differ, as browsers send."""
    plain = sent.replace("\r\n", "\n")
    return stored if stored.replace("\r\n", "\n") == plain else plain


class TopicForm(ItemForm):
    """A topic."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.state == TopicState.LEFT:
            self.fields["state"].disabled = True
            self.fields["state"].help_text = "A practice task has this topic, and its grades are open there."
        else:
            self.fields["state"].choices = NEW_STATES  # type: ignore[attr-defined]

    def clean_state(self) -> str:
        """Return the state. Raises ValidationError for a new state once the task is released."""
        state: str = self.cleaned_data["state"]
        if "state" in self.changed_data and self.instance.released_tasks().exists():
            raise forms.ValidationError("The task is released, so its active topics stay active.")
        return state

    class Meta:
        model = Topic
        fields = ("state", "note", "stratum")
        widgets = {"note": forms.Textarea({"rows": 3}), "stratum": forms.TextInput}


class DocumentForm(ItemForm):
    """A document."""

    class Meta:
        model = Document
        fields = ()


class PictureForm(forms.Form):
    """A picture of the guidelines."""

    name = forms.CharField(
        max_length=60, label="Name of the picture", help_text="Describes it to readers who cannot see it."
    )
    picture = forms.FileField(help_text=PICTURE_HELP, label="File")
    credit = forms.CharField(
        max_length=CREDIT_MAX,
        required=False,
        label="Credit and licence",
        help_text="Such as Jane Doe, CC BY 4.0. With it the picture also stands on the track's page and the "
        "home page, from the opening on: give it only if the licence allows everybody to see the picture.",
    )
