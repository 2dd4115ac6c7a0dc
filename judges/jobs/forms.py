"""Forms of jobs, judges and budgets."""

from decimal import Decimal
from typing import Any

from django import forms

from evaluation.platform.access.forms import JSONTextField
from evaluation.submissions.pools.forms import PoolChoiceField
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task, TaskKind
from judges.catalogue.models import OF_TRACKS, Judge
from judges.jobs.money import Budget
from judges.prompts.forms import named_prompts, prompt_choices
from judges.prompts.models import Prompt
from trackside.backends.registry import backend_class, backend_names
from trackside.errors import InputError
from trackside.judging.costs import MICROS
from trackside.judging.prompts import stored_template
from trackside.judging.settings import (
    BY_FIELDS,
    CHUNK_MAX,
    CHUNK_MEAN,
    CLIP_PRESETS,
    DRAFT,
    IMAGE_SIZES,
    SMALL,
    TRUNCATE,
    Settings,
)
from trackside.judging.shipped_prompts import DIFFERENCES_2024


class MoneyField(forms.DecimalField):
    """An amount in the currency of the price table. Its value is in micros, None if it is empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, min_value=0, max_digits=12, decimal_places=2, **options)

    def clean(self, value: Any) -> Any:
        """Return the amount in micros."""
        number = super().clean(value)
        return None if number is None else int(number * MICROS)


class JobStartForm(forms.Form):
    """A judge that accepts the task's kind, and one of the task's pools, the latest first."""

    judge = forms.ModelChoiceField(Judge.objects.none(), empty_label=None)
    pool = PoolChoiceField(Pool.objects.none(), empty_label=None)
    budget = MoneyField(
        help_text="The cost limit of the job, in the currency of the price table. Empty: only the "
        "track's limit.",
    )
    priority = forms.IntegerField(
        required=False, initial=0, min_value=-9, max_value=9, help_text="Higher goes first."
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judges = Judge.objects.of_track(task.track).in_use().filter(task_kinds__contains=[task.kind])
        self.judges = judges.exclude(backend="imported")  # their scores exist
        pools = Pool.objects.filter(task=task).select_related("task__track").order_by("-created_at")
        fields: dict[str, Any] = self.fields
        fields["judge"].queryset, fields["pool"].queryset = self.judges, pools

    @property
    def order(self) -> dict[str, Any]:
        """The arguments of ``start_job``."""
        return {
            "judge": self.cleaned_data["judge"],
            "pool": self.cleaned_data["pool"],
            "cap_micros": self.cleaned_data["budget"],
            "priority": self.cleaned_data["priority"] or 0,
        }


class ProbesField(forms.MultipleChoiceField):
    """Codes of probes, which ``start_probe`` checks: those that are possible depend on judge and task."""

    def valid_value(self, _value: object) -> bool:
        """Return that the form takes every code."""
        return True


class ProbeForm(forms.Form):
    """What a probe changes, its cost limit, and the seed of its sample."""

    probes = ProbesField(
        required=False,
        help_text="Of pictures, texts, again, grey, options, painted, half, and fields to leave out, such as "
        "topic.title; at most 8. Without any: pictures, texts and again, as far as they are possible.",
    )
    budget = MoneyField(
        help_text="The cost limit of the probe, in the currency of the price table. Empty: only the track's "
        "limit.",
    )
    seed = forms.IntegerField(
        required=False,
        initial=0,
        min_value=0,
        max_value=2**32 - 1,
        help_text="Another seed draws another sample.",
    )

    @property
    def order(self) -> dict[str, Any]:
        """The arguments of ``start_probe``."""
        asked = self.cleaned_data
        return {"cap_micros": asked["budget"], "seed": asked["seed"] or 0, "probes": asked["probes"]}


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
    "seed",
)


class JudgeForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new judge. ``settings`` are its settings with all revisions once the form is valid.

    Another seed makes another judge with the same settings, which reuses no answers of the first one. So the
    two measure how far the model repeats itself.
    """

    backend = forms.ChoiceField(
        choices=lambda: [(name, name) for name in backend_names() if name not in OF_TRACKS],
        help_text="llava runs a small LLaVA in the worker's process. Serve other models with vLLM or SGLang, "
        "which are faster, and choose openai_chat.",
    )
    model_revision = forms.CharField(
        required=False, help_text="The full commit for a model of the hub; empty for a folder on the server."
    )
    dtype = forms.ChoiceField(choices=[(name, name) for name in ("float32", "half", "bfloat16")])
    image_size = forms.CharField(
        initial=SMALL,
        help_text=f"{IMAGE_SIZES}. Clip takes no pixels, but also {DRAFT}: as uploaded, a JPEG decoded at a "
        "fraction of its size.",
    )
    long_text = forms.ChoiceField(label="Text longer than the model reads", choices=LONG_TEXTS)

    preset = forms.ChoiceField(
        required=False,
        choices=[("", "none"), *((name, f"{name}: {preset.words}") for name, preset in CLIP_PRESETS.items())],
        help_text="For clip: gives the prompt, the text fields in order and the policy for long texts.",
    )
    named_prompt = forms.ChoiceField(
        required=False,
        help_text="For judges that answer in words: gives the prompt and the form of answer. The page of "
        "prompts of each task shows them with their sources. own-words: " + DIFFERENCES_2024,
    )
    decoding = JSONTextField(
        required=False,
        help_text='Such as {"max_tokens": 64, "logprobs": 5}; empty: the backend\'s defaults. An option that '
        'an endpoint rejects is left out: {"temperature": null, "seed": null}.',
    )

    seed = forms.IntegerField(
        required=False,
        initial=0,
        min_value=0,
        max_value=2**32 - 1,
        help_text="Another seed makes a new judge with new requests, to test if answers repeat.",
    )

    task_kinds = forms.MultipleChoiceField(choices=TaskKind.choices, widget=forms.CheckboxSelectMultiple)

    settings: Settings

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prompts = named_prompts(Prompt.objects.all())
        fields: dict[str, Any] = self.fields
        fields["named_prompt"].choices = [("", "none"), *prompt_choices(self._prompts)]

    class Meta:
        model = Judge
        fields = ("track", "name", *OF_SETTINGS, "task_kinds")
        help_texts = {
            "endpoint": "For judges that others serve: the base URL, or blank-separated URLs of several "
            "replicas, which share the topics."
        }

    def clean(self) -> dict[str, Any]:
        """Check whether the backend can run these settings."""
        values = super().clean() or self.cleaned_data
        if self.errors:
            return values
        settings = {name: values[name] for name in OF_SETTINGS} | {
            "text_fields": tuple(values["text_fields"]),
            "decoding": values["decoding"] or {},
            "seed": values["seed"] or 0,
        }
        settings["prompt"] = stored_template(values["prompt"])
        if preset := CLIP_PRESETS.get(values["preset"]):
            settings |= preset.choices
        if prompt := self._prompts.get(values["named_prompt"]):
            settings |= {"prompt": prompt.template, "answer": prompt.answer}
        try:
            self.settings = backend_class(values["backend"]).pinned(Settings(**settings, revision=0))
        except InputError as error:
            self.add_error(None, str(error))
            return values
        if Judge.objects.filter(identity_sha256=self.settings.identity_sha256).exists():
            self.add_error(None, "A judge with the same settings exists. Use it, or change a setting.")
        return values


class _AmountForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """An amount of a budget, in the currency of the price table."""

    class Meta:
        model = Budget
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & {"cap", "ceiling"}:
            micros = getattr(self.instance, f"{name}_micros")
            self.fields[name].initial = None if micros is None else Decimal(micros) / MICROS


class CapForm(_AmountForm):
    """The cap of a budget."""

    cap = MoneyField(
        help_text="The most that may be spent, in the currency of the price table. Empty: no limit.",
    )


class CeilingForm(_AmountForm):
    """The ceiling of a track's budget, which the staff set."""

    ceiling = MoneyField(
        help_text="The maximum cost of the track, which no cap can exceed. Empty: no limit.",
    )
