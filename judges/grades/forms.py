"""Forms of mappings and imported scores."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Case, When

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from judges.grades.models import Mapping
from judges.jobs.models import Job
from trackside.judging.mappings.rules import FIXED, WORDS, rules_of


class JobPublishForm(forms.Form):
    """A frozen mapping of the job's judge: those fitted on the job's pool first, then the latest."""

    mapping = forms.ModelChoiceField(Mapping.objects.none(), empty_label=None, label="Grades by")

    def __init__(self, *args: Any, job: Job, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mappings = Mapping.objects.visible_to(user).filter(judge=job.judge)
        own_pool_first = Case(When(pool=job.pool_id, then=0), default=1)
        mappings = mappings.select_related("pool__task__track").order_by(own_pool_first, "-created_at")
        self.fields["mapping"].queryset = mappings  # type: ignore[attr-defined]


class MappingForm(forms.Form):
    """A rule with its inputs: people's grades and topics to fit on, or cuts. Default: ``choose_rule``'s."""

    rule = forms.ChoiceField(required=False)
    people = forms.ModelChoiceField(Qrels.objects.none(), required=False, label="People's grades")
    share = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=99,
        initial=50,
        label="Topics to fit on, in per cent",
        help_text="For rules by people. Drawn by the seed; the judge's qrels exclude these topics.",
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**32 - 1, initial=0)

    def __init__(self, *args: Any, task: Task, scale: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["rule"].choices = [(name, f"{name}: {WORDS[name]}") for name in rules_of(tuple(scale))]
        self._cuts = [f"cut_{grade}" for grade in scale[1:]]
        for name, grade in zip(self._cuts, scale[1:], strict=True):
            fields[name] = forms.FloatField(required=False, label=f"Grade {grade} from")
        fields[self._cuts[0]].help_text = "For cuts set by hand."
        current = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).current()
        qrels = Qrels.objects.filter(pk__in=current.values("pk")).order_by("-created_at")
        fields["people"].queryset = qrels
        fields["people"].empty_label = "none" if not qrels else None
        self.order_fields(["rule", "people", "share", "seed", *self._cuts])

    def clean(self) -> dict[str, Any]:
        """Require all cuts or none; fixed cuts need all."""
        values = super().clean() or self.cleaned_data
        missing = [name for name in self._cuts if values.get(name) is None]
        if missing and (values.get("rule") == FIXED or len(missing) < len(self._cuts)):
            self.add_error(None, "Give all cuts, or none.")
        return values

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cuts; empty if none are given."""
        return tuple(cut for name in self._cuts if (cut := self.cleaned_data[name]) is not None)

    @property
    def order(self) -> dict[str, Any]:
        """The arguments of ``fit_mapping``; cuts count unless another rule is chosen."""
        values = self.cleaned_data
        share = values["share"]
        return {
            "rule": values["rule"],
            "cuts": self.cuts if values["rule"] in {"", FIXED} else (),
            "people": values["people"],
            "share": 0.5 if share is None else share / 100,
            "seed": values["seed"] or 0,
        }


class ScoresImportForm(forms.Form):
    """A file of scores, the name of its new judge, and one of the task's pools, the latest first."""

    name = forms.SlugField(label="Judge's name", max_length=60)
    file = forms.FileField(label="File", help_text=".csv, .tsv, .jsonl, or qrels by any other ending")
    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label=None)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pools = Pool.objects.filter(task=task).select_related("task__track").order_by("-created_at")
        self.fields["pool"].queryset = pools  # type: ignore[attr-defined]

    def clean_file(self) -> Any:
        """Refuse files above MAX_UPLOAD_BYTES."""
        file = self.cleaned_data["file"]
        if file.size > settings.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"The file is larger than {settings.MAX_UPLOAD_BYTES / 2**20:.0f} MiB."
            )
        return file
