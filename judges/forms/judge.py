"""Making a judge."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.core.errors import InputError
from judges.core.answers import FORMS
from judges.core.settings import BY_FIELDS, CHUNK_MAX, CHUNK_MEAN, DRAFT, ORIGINAL, SMALL, TRUNCATE, Settings
from judges.forms.prompt import named_prompts
from judges.models import Judge
from judges.registry import BACKENDS, backend_class

OF_PAGES = ("imported", "ensemble")  # judges that are made on pages of their own
IMAGE_SIZES = [
    (SMALL, "copy with a shorter side of 336 px"),
    (ORIGINAL, "as uploaded"),
    (DRAFT, "as uploaded, JPEG decoded at a fraction of its size"),
]
LONG_TEXTS = [
    (TRUNCATE, "cut, end token kept"),
    (CHUNK_MEAN, "in pieces, mean of their vectors"),
    (CHUNK_MAX, "in pieces, the nearest one counts"),
    (BY_FIELDS, "field by field, mean of their vectors"),
]
OF_SETTINGS = (
    "backend",
    "model",
    "model_revision",
    "dtype",
    "prompt",
    "text_fields",
    "image_size",
    "long_text",
    "endpoint",
    "answer",
    "decoding",
)


class JudgeForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new judge. ``settings`` holds its settings with all revisions once the form is valid."""

    backend = forms.ChoiceField(choices=[(name, name) for name in BACKENDS if name not in OF_PAGES])
    model_revision = forms.CharField(
        required=False, help_text="The full commit for a model of the hub; empty for a folder on the server."
    )
    dtype = forms.ChoiceField(choices=[(name, name) for name in ("float32", "bfloat16")])
    image_size = forms.ChoiceField(choices=IMAGE_SIZES)
    long_text = forms.ChoiceField(label="Text longer than the model reads", choices=LONG_TEXTS)

    named_prompt = forms.ChoiceField(
        required=False,
        help_text="For judges that answer in words: gives the prompt and the form of answer.",
    )
    answer = forms.ChoiceField(required=False, choices=[("", "none"), *((name, name) for name in FORMS)])
    decoding = forms.JSONField(
        required=False,
        help_text='Such as {"max_tokens": 64, "logprobs": 5}; empty: the backend’s defaults.',
    )

    settings: Settings

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prompts = named_prompts()
        choices = [("", "none"), *((name, name) for name in self._prompts)]
        self.fields["named_prompt"] = forms.ChoiceField(
            required=False, choices=choices, help_text=self.fields["named_prompt"].help_text
        )

    class Meta:
        model = Judge
        fields = ("name", *OF_SETTINGS, "task_kinds")
        help_texts = {
            "endpoint": "For judges that others serve: the base URL, or with blanks between those of several "
            "replicas, which share the topics out among them."
        }

    def clean(self) -> dict[str, Any]:
        """Ask the backend whether it can run these settings."""
        chosen = super().clean() or self.cleaned_data
        if self.errors:
            return chosen
        given = {name: chosen[name] for name in OF_SETTINGS} | {
            "text_fields": tuple(chosen["text_fields"]),
            "decoding": chosen["decoding"] or {},
        }
        if prompt := self._prompts.get(chosen["named_prompt"]):
            given |= {"prompt": prompt.template, "answer": prompt.answer}
        try:
            self.settings = backend_class(chosen["backend"]).pinned(Settings(**given, revision=0))
        except InputError as error:
            self.add_error(None, str(error))
            return chosen
        if Judge.objects.filter(identity_sha256=self.settings.identity_sha256).exists():
            self.add_error(None, "A judge with the very same settings exists. Use it, or change a setting.")
        return chosen
