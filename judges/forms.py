"""Forms: starting a job, publishing its grades, making a judge."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.db.models import Case, When

from evaluation.core.errors import InputError
from evaluation.models import Pool, Qrels, QrelsKind
from judges.actions.create_ensemble import CalibrationChoice
from judges.core.answers import FORMS
from judges.core.costs import MICROS
from judges.core.ensembles import MOST_MEMBERS, Rule
from judges.core.prompts import BUILT_IN
from judges.core.prompts import Prompt as CorePrompt
from judges.core.rules import FIXED, PAPER, WORDS
from judges.core.settings import (
    BY_FIELDS,
    CHUNK_MAX,
    CHUNK_MEAN,
    DRAFT,
    ORIGINAL,
    SMALL,
    TRUNCATE,
    Settings,
)
from judges.models import Budget, Job, Judge, Mapping, Prompt
from judges.registry import BACKENDS, backend_class

if TYPE_CHECKING:
    from evaluation.models import Task, User

OF_FILES = ("imported",)  # judges whose scores exist already: no job can be started
OF_PAGES = (*OF_FILES, "ensemble")  # judges that are made on pages of their own
RULES = {
    Rule.MEAN: "mean of the members’ grades",
    Rule.MAJORITY: "the grade that most members give",
    Rule.VOTES: "votes: a threshold for each member, then the majority",
}
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


class JobStartForm(forms.Form):
    """A judge that takes the task's kind, and one of the task's pools, the latest first."""

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judges = Judge.objects.in_use().filter(task_kinds__contains=[task.kind]).exclude(backend__in=OF_FILES)
        pools = Pool.objects.filter(task=task).order_by("-created_at")
        self.fields["judge"] = forms.ModelChoiceField(judges, empty_label=None)
        self.fields["pool"] = forms.ModelChoiceField(pools, empty_label=None)
        self.fields["budget"] = forms.DecimalField(
            required=False,
            min_value=0,
            max_digits=12,
            decimal_places=2,
            help_text="The most that the job may cost, in the currency of the price table. Empty: no limit "
            "but the track’s.",
        )
        self.fields["priority"] = forms.IntegerField(
            required=False, initial=0, min_value=-9, max_value=9, help_text="Higher goes first."
        )

    @property
    def order(self) -> dict[str, Any]:
        """What ``start_job`` takes."""
        budget = self.cleaned_data["budget"]
        return {
            "judge": self.cleaned_data["judge"],
            "pool": self.cleaned_data["pool"],
            "cap_micros": None if budget is None else int(budget * MICROS),
            "priority": self.cleaned_data["priority"] or 0,
        }


class ScoresImportForm(forms.Form):
    """A file of scores, the name that its judge gets, and one of the task's pools, the latest first."""

    name = forms.SlugField(label="Judge’s name", max_length=60)
    file = forms.FileField(label="File", help_text=".csv, .tsv, .jsonl, or qrels by any other ending")

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pools = Pool.objects.filter(task=task).order_by("-created_at")
        self.fields["pool"] = forms.ModelChoiceField(pools, empty_label=None)

    def clean_file(self) -> Any:
        """Refuse more than the site takes in one file."""
        file = self.cleaned_data["file"]
        if file.size > settings.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {settings.MAX_UPLOAD_BYTES / 2**20:.0f} MiB."
            )
        return file


class MappingForm(forms.Form):
    """A rule, and what it needs: people's grades with the topics to fit on, or cuts. Empty is paper-2024."""

    rule = forms.ChoiceField(
        required=False, choices=[(name, f"{name}: {words}") for name, words in WORDS.items()]
    )
    share = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=99,
        initial=50,
        label="Topics to fit on, in per cent",
        help_text="For rules by people. Drawn by the seed; the judge’s qrels leave these topics out.",
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**32 - 1, initial=0)
    lower = forms.FloatField(required=False, label="Grade 1 from", help_text="For cuts set by hand.")
    upper = forms.FloatField(required=False, label="Grade 2 from")

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        current = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).current()
        known = Qrels.objects.filter(pk__in=current.values("pk")).order_by("-created_at")
        self.fields["people"] = forms.ModelChoiceField(
            known, required=False, empty_label="none" if not known else None, label="People’s grades"
        )
        self.order_fields(["rule", "people", "share", "seed", "lower", "upper"])

    def clean(self) -> dict[str, Any]:
        """Both cuts or none; cuts set by hand need them."""
        given = super().clean() or self.cleaned_data
        cuts = [given.get("lower"), given.get("upper")]
        if given.get("rule") == FIXED and None in cuts:
            self.add_error(None, "Give both cuts.")
        elif (cuts[0] is None) != (cuts[1] is None):
            self.add_error(None, "Give both cuts, or none.")
        return given

    @property
    def cuts(self) -> tuple[float, float] | None:
        """The cuts, None where none are given."""
        lower, upper = self.cleaned_data["lower"], self.cleaned_data["upper"]
        return None if lower is None or upper is None else (lower, upper)

    @property
    def order(self) -> dict[str, Any]:
        """What ``fit_mapping`` takes; cuts count where no other rule is named."""
        chosen = self.cleaned_data
        share = chosen["share"]
        return {
            "rule": chosen["rule"] or PAPER,
            "cuts": self.cuts if chosen["rule"] in {"", FIXED} else None,
            "people": chosen["people"],
            "share": 0.5 if share is None else share / 100,
            "seed": chosen["seed"] or 0,
        }


class JobPublishForm(forms.Form):
    """A frozen mapping of the job's judge: those fitted on the job's own pool first, then the latest."""

    def __init__(self, *args: Any, job: Job, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mappings = Mapping.objects.visible_to(user).filter(judge=job.judge)
        own_pool_first = Case(When(pool=job.pool_id, then=0), default=1)
        self.fields["mapping"] = forms.ModelChoiceField(
            mappings.select_related("pool__task__track").order_by(own_pool_first, "-created_at"),
            empty_label=None,
            label="Grades by",
        )


class EnsembleForm(forms.Form):
    """Members among the judges with a completed job on the task, and how they become one judge."""

    name = forms.SlugField(max_length=60)
    rule = forms.TypedChoiceField(choices=[(rule, RULES[rule]) for rule in Rule], coerce=Rule)
    judges = forms.ModelMultipleChoiceField(
        Judge.objects.none(), label="Members", help_text="At least two, each with a completed job."
    )
    tie_breaker = forms.ModelChoiceField(
        Judge.objects.none(), empty_label=None, help_text="A member: its grade decides where others are even."
    )
    quorum = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MEMBERS,
        help_text="Members that must have a grade; with fewer a pair is a gap. Empty: more than half.",
    )
    qrels = forms.ModelChoiceField(
        Qrels.objects.none(),
        required=False,
        empty_label="none",
        label="For votes: calibrate on",
        help_text="Each member’s threshold is the one with the best F1 against these grades.",
    )
    level = forms.TypedChoiceField(
        required=False, choices=[(1, "1"), (2, "2")], coerce=int, label="For votes: relevant from grade"
    )
    percent = forms.IntegerField(
        required=False,
        initial=25,
        min_value=1,
        max_value=90,
        label="For votes: per cent of the topics",
        help_text="They calibrate, so they stay out of the ensemble’s grades.",
    )
    seed = forms.IntegerField(
        required=False, initial=0, min_value=0, max_value=2**31 - 1, label="For votes: seed of the draw"
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        done = Job.objects.completed().filter(pool__task=task)
        judges = Judge.objects.filter(pk__in=done.values("judge")).exclude(backend="ensemble")
        fields: dict[str, Any] = self.fields
        fields["judges"].queryset = fields["tie_breaker"].queryset = judges
        fields["qrels"].queryset = Qrels.objects.current().filter(task=task).exclude(kind=QrelsKind.MODEL)

    def clean(self) -> dict[str, Any]:
        """Votes need qrels."""
        chosen = super().clean() or self.cleaned_data
        if chosen.get("rule") == Rule.VOTES and not chosen.get("qrels"):
            self.add_error("qrels", "Votes need people’s grades to calibrate on. Publish some first.")
        return chosen

    @property
    def order(self) -> dict[str, Any]:
        """What ``create_ensemble`` takes."""
        given = self.cleaned_data
        choice = None
        if given["rule"] == Rule.VOTES:
            share = (given["percent"] or 25) / 100
            choice = CalibrationChoice(given["qrels"], given["level"] or 1, share, given["seed"] or 0)
        names = ("name", "rule", "judges", "tie_breaker", "quorum")
        return {name: given[name] for name in names} | {"choice": choice}


def named_prompts() -> dict[str, CorePrompt]:
    """All prompts, the built-in ones first, by name and version."""
    stored = [each.core for each in Prompt.objects.order_by("name", "-version")]
    return {f"{each.name} (version {each.version})": each for each in [*BUILT_IN, *stored]}


class PromptPreviewForm(forms.Form):
    """One of all prompts; ``prompt`` is it, once the form is valid."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prompts = named_prompts()
        self.fields["named"] = forms.ChoiceField(
            choices=[(name, name) for name in self._prompts], label="Prompt"
        )

    @property
    def prompt(self) -> CorePrompt:
        """The chosen prompt."""
        return self._prompts[self.cleaned_data["named"]]


class PromptForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new prompt, or the next version of one."""

    class Meta:
        model = Prompt
        fields = ("name", "template", "answer")

    def clean(self) -> dict[str, Any]:
        """Say what is wrong with the template."""
        chosen = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                made = CorePrompt(version=1, **{name: chosen[name] for name in self.Meta.fields}).checked()
            except InputError as error:
                self.add_error("template", str(error))
            else:
                self._refuse_twin(made)
        return chosen

    def _refuse_twin(self, made: CorePrompt) -> None:
        twins = [each for each in named_prompts().values() if each.name == made.name]
        if made.sha256 in {each.sha256 for each in twins}:
            self.add_error(
                "template", "A version of this prompt says the very same. Use it, or change the text."
            )


class BudgetForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """The cap of a budget, in the currency of the price table."""

    cap = forms.DecimalField(
        required=False, min_value=0, max_digits=12, decimal_places=2, help_text="Empty: no limit."
    )

    class Meta:
        model = Budget
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.cap_micros is not None:
            self.fields["cap"].initial = Decimal(self.instance.cap_micros) / MICROS

    @property
    def cap_micros(self) -> int | None:
        """The cap as the budget keeps it."""
        cap = self.cleaned_data["cap"]
        return None if cap is None else int(cap * MICROS)


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
