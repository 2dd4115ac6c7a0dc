"""The form of a judge to try, made from a preset."""

from collections.abc import Iterable
from typing import Any

from django import forms

from evaluation.platform.access.forms import JSONTextField
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge, JudgeQuerySet
from judges.prompts.forms import filled_prompts, prompt_choices
from judges.trials.comparing import PAIRS
from trackside.judging.settings import CLIP_PRESETS, IMAGE_SIZES, SMALL, Settings

CLIP = "clip: "  # prefix of the names of presets; names of prompts have none


def examples_field() -> forms.CharField:
    """Return the field of the pairs that a prompt shows at {examples}."""
    return forms.CharField(
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For a prompt with {examples}: some lines of people's published qrels. Their topics are "
        "left out of every comparison.",
    )


class PresetJudgeForm(forms.Form):
    """A judge from a preset: its name, the preset, the model, and the options of requests to it."""

    name = forms.SlugField(max_length=60, help_text="Letters, digits and hyphens, such as: clip-large.")
    preset = forms.ChoiceField()
    model = forms.CharField(
        max_length=255,
        help_text="A name on the Hugging Face hub, a folder on the server, or its name at the address.",
    )
    model_revision = forms.CharField(
        max_length=64,
        required=False,
        label="Revision",
        help_text="The full commit of a model of the hub. Empty for a folder and for a dated name.",
    )
    endpoint = forms.CharField(
        max_length=1000,
        required=False,
        label="Address",
        help_text="The base URL of a model that others serve, such as https://host/v1. Its key is in the "
        "environment of the judges' worker.",
    )
    image_size = forms.CharField(
        initial=SMALL,
        max_length=16,
        required=False,
        help_text=f"{IMAGE_SIZES}. Clip takes no pixels. Maps, charts and text in pictures need more than "
        "the copy.",
    )
    examples = examples_field()
    decoding = JSONTextField(
        required=False,
        label="Options of its requests",
        help_text='For a model at an address, as JSON. Empty: {"max_tokens": 64, "temperature": 0}. A model '
        'that thinks: {"max_tokens": 512, "chat_template_kwargs": {"enable_thinking": false}}. An option '
        'that the address rejects is left out: {"temperature": null, "seed": null}.',
    )

    def __init__(self, *args: Any, task: Task, endpoints: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Offer organizers models at the ``endpoints`` only, which staff named."""
        super().__init__(*args, **kwargs)
        self._prompts = filled_prompts(task)
        clip = [(CLIP + name, f"{name}: {preset.words}") for name, preset in CLIP_PRESETS.items()]
        choices = [("A model at an address", prompt_choices(self._prompts))]
        if endpoints is None:
            choices.insert(0, ("CLIP, loaded by the worker", clip))
        else:
            self.fields["endpoint"] = forms.ChoiceField(choices=[(url, url) for url in endpoints])
        self.fields["preset"] = forms.ChoiceField(choices=choices)

    def clean(self) -> dict[str, Any]:
        """Require an address for a model behind an endpoint, and none for CLIP."""
        values = super().clean() or self.cleaned_data
        is_clip = str(values.get("preset", "")).startswith(CLIP)
        if "endpoint" not in self.errors and is_clip == bool(values.get("endpoint")):
            needs = (
                "CLIP is loaded by the worker: leave the address empty."
                if is_clip
                else ("This preset sends requests to a model at an address: enter its base URL.")
            )
            self.add_error("endpoint", needs)
        if "decoding" not in self.errors and not isinstance(values["decoding"] or {}, dict):
            self.add_error("decoding", 'Write an object, such as {"max_tokens": 64}.')
        elif is_clip and values.get("decoding"):
            self.add_error("decoding", "CLIP sends no requests: leave the options empty.")
        return values

    @property
    def settings(self) -> Settings:
        """The settings of the form, without revisions."""
        values = self.cleaned_data
        settings = {"model": values["model"], "model_revision": values["model_revision"], "revision": 0}
        settings["image_size"] = values["image_size"] or SMALL
        if values["preset"].startswith(CLIP):
            preset = CLIP_PRESETS[values["preset"].removeprefix(CLIP)]
            return Settings(backend="clip", **settings, **preset.choices)
        prompt = self._prompts[values["preset"]]
        return Settings(
            backend="openai_chat",
            endpoint=values["endpoint"],
            prompt=prompt.template,
            answer=prompt.answer,
            decoding=values["decoding"] or {},
            **settings,
        )


class ComparisonForm(forms.Form):
    """A judge that answers in words, and two prompts for it."""

    judge = forms.ModelChoiceField(
        Judge.objects.none(),
        empty_label=None,
        help_text="Its model and options of requests; its own prompt is not used.",
    )
    first = forms.ChoiceField(label="One version")
    second = forms.ChoiceField(label="Other version")
    examples = examples_field()
    pair_count = forms.IntegerField(
        label="Pairs",
        required=False,
        min_value=1,
        max_value=200,
        help_text="Up to 200; 20 if empty. Intervals need ten topics that people graded.",
    )

    def __init__(self, *args: Any, task: Task, judges: JudgeQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prompts = filled_prompts(task)
        self.fields["judge"].queryset = judges.exclude(answer="")  # type: ignore[attr-defined]
        for name in ("first", "second"):
            self.fields[name].choices = prompt_choices(self._prompts)  # type: ignore[attr-defined]

    @property
    def order(self) -> dict[str, Any]:
        """The arguments of ``ask_comparison``."""
        names = (self.cleaned_data["first"], self.cleaned_data["second"])
        return {
            "judge": self.cleaned_data["judge"],
            "versions": {name: self._prompts[name] for name in names},
            "examples": self.cleaned_data["examples"],
            "pair_count": self.cleaned_data["pair_count"] or PAIRS,
        }
