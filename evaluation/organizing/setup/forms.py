"""Forms of the steps of setting up."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify

from evaluation.collections.corpora import Corpus
from evaluation.collections.models import Collection
from evaluation.organizing.setup.scale import PRESET_CHOICES
from evaluation.organizing.track_files.schema import MAX_FILE
from evaluation.platform.access.people import User
from evaluation.platform.access.schema.names import LEAD_MAX, MARKDOWN_MAX, alike
from evaluation.platform.web.opened_forms import OpenedForm, lock_row
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.tracks.forms import MeasuresField
from evaluation.tracks.models import Task, TaskKind
from trackside.errors import InputError
from trackside.text.names import check_visible


def _visible(name: str) -> str:
    """Return the name. Raises ValidationError if it has an invisible character."""
    try:
        check_visible(name)
    except InputError as error:
        raise forms.ValidationError(str(error)) from error
    return name


class TaskBeginForm(forms.Form):
    """A new task: its name and kind, and the task that its settings are copied from."""

    task_name = forms.CharField(max_length=120, label="Name of the task")
    kind = forms.ChoiceField(
        choices=[(str(kind.value), str(kind.label).capitalize()) for kind in TaskKind],
        label="Kind of the task",
    )
    is_practice = forms.BooleanField(
        required=False,
        label="A practice task",
        help_text="Its qrels are open from the start: it scores runs at once on a live leaderboard, and has "
        "no deadline, pool, judging or release. This stays as chosen here.",
    )
    source = forms.ModelChoiceField(
        Task.objects.none(),
        required=False,
        label="Copy the settings of",
        empty_label="nothing: start empty",
        help_text="Rules, guidelines, criteria, families, questions, plan. No documents, topics, runs, "
        "judgments or people. A practice task also gets its topics, its collection if that is of this track, "
        "and its qrels if they are released. Else import qrels of your own: the topics that they grade then "
        "leave the scores of the other task for good.",
    )
    preset = forms.ChoiceField(choices=PRESET_CHOICES, required=False, label="Grades, if nothing is copied")

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tasks: QuerySet[Task] = Task.objects.organized_by(by).select_related("track").order_by("-pk")
        self.fields["source"].queryset = tasks  # type: ignore[attr-defined]

    def clean_task_name(self) -> str:
        """Reject names with hidden characters, or without letters for an address."""
        return self._addressable("task_name")

    def _addressable(self, name: str) -> str:
        name_text: str = _visible(self.cleaned_data[name])
        if not slugify(name_text)[:50]:
            raise forms.ValidationError(
                "Use at least one letter from a to z or one digit: the address needs it."
            )
        return name_text

    @property
    def task_slug(self) -> str:
        """Return the part of the address that names the task."""
        return str(slugify(self.cleaned_data["task_name"]))[:50]


class TrackBeginForm(TaskBeginForm):
    """A new track with its first task."""

    name = forms.CharField(max_length=120, label="Name of the track", help_text="Such as: AToMiC.")
    year = forms.IntegerField(min_value=1992, max_value=2100)
    field_order = ("name", "year")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["year"].initial = timezone.now().year

    def clean_name(self) -> str:
        """Reject hidden characters, as in the name of a task."""
        return self._addressable("name")

    @property
    def track_slug(self) -> str:
        """Return the part of the address that names the track: its name and year."""
        name, year = slugify(self.cleaned_data["name"])[:44], str(self.cleaned_data["year"])
        return name if year in name else f"{name}-{year}"


class TrackFileForm(forms.Form):
    """A track as a file."""

    file = forms.FileField(label="Track file (TOML)")

    def clean_file(self) -> str:
        """Return the text. Raises ValidationError if it is too large or not UTF-8."""
        file = self.cleaned_data["file"]
        if file.size > MAX_FILE:
            raise forms.ValidationError(
                f"The file has more than {MAX_FILE:,} bytes. Documents come by imports."
            )
        try:
            return str(file.read().decode())
        except UnicodeDecodeError as error:
            raise forms.ValidationError(f"The file is not UTF-8: byte {error.start + 1}.") from error


class CollectionForm(forms.Form):
    """Another collection of the track, or the name of a new one."""

    collection = forms.ModelChoiceField(Collection.objects.none(), required=False, empty_label="a new one:")
    name = forms.CharField(max_length=120, required=False, label="Name of the new collection")

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        self.fields["collection"].queryset = Collection.objects.filter(track=task.track)  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Reject invisible characters."""
        return _visible(str(self.cleaned_data["name"]))

    def clean(self) -> dict[str, Any]:
        """Require a choice or a free name."""
        chosen = super().clean() or self.cleaned_data
        if not chosen.get("collection") and not self.errors:
            name = (chosen.get("name") or "").strip()
            if not name:
                self.add_error("name", "Choose a collection, or write the name of a new one.")
            elif known := alike(Collection.objects.filter(track=self.task.track), name).first():
                self.add_error("name", f"The track has a collection {known}. Choose it above.")
        return chosen


class SharingForm(OpenedForm[Collection]):
    """Where people get the documents."""

    class Meta:
        model = Collection
        fields = ("is_shared", "address")
        help_texts = {
            "is_shared": "If their licence allows it: texts as JSON lines, and pictures in zips as imported, "
            "with what cameras wrote into them; teams from the opening, all from the release."
        }


class GuidelinesForm(OpenedForm[Task]):
    """Texts of the task and of its track."""

    description = forms.CharField(
        required=False,
        max_length=LEAD_MAX,
        widget=forms.Textarea({"rows": 2}),
        label="The track in one or two sentences",
    )
    track_guidelines = forms.CharField(
        required=False,
        max_length=MARKDOWN_MAX,
        widget=forms.Textarea({"rows": 4}),
        label="Guidelines of the track, for all its tasks",
    )
    licence = forms.CharField(
        required=False, max_length=120, help_text="Licence of the test collection, such as CC BY 4.0."
    )

    class Meta:
        model = Task
        fields = ("guidelines",)
        labels = {"guidelines": "Guidelines of the task"}
        widgets = {"guidelines": forms.Textarea({"rows": 12})}
        help_texts = {"guidelines": "Markdown. To show a picture, copy its line from the list of pictures."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        track = self.instance.track
        self.initial.update(
            description=track.description, track_guidelines=track.guidelines, licence=track.licence
        )

    def clean(self) -> dict[str, Any]:
        """Lock the track, too."""
        lock_row(self.instance.track)
        return super().clean()

    def save(self, commit: bool = True) -> Task:  # noqa: FBT001, FBT002 - Django's own signature
        """Store the texts of task and track."""
        track = self.instance.track
        track.description = self.cleaned_data["description"]
        track.guidelines = self.cleaned_data["track_guidelines"]
        track.licence = self.cleaned_data["licence"]
        track.save(update_fields=["description", "guidelines", "licence"])
        return super().save(commit=commit)


class NamedForm(forms.ModelForm[Any]):
    """A row whose name people read."""

    def clean_name(self) -> str:
        """Reject invisible characters."""
        return _visible(str(self.cleaned_data["name"]))


class TaskForm(NamedForm):
    """Name and kind of a task, and the length of tags."""

    class Meta:
        model = Task
        fields = ("name", "kind", "tag_max")

    def clean_kind(self) -> str:
        """Reject another kind once there are runs."""
        if "kind" in self.changed_data and self.instance.runs.exists():
            raise forms.ValidationError("Runs were checked against the kind. Make a new task instead.")
        return str(self.cleaned_data["kind"])


class RulesForm(OpenedForm[Task]):
    """Rules for runs and pools, and the measures shown."""

    class Meta:
        model = Task
        fields = ("max_runs", "max_per_topic", "corpus", "pool_depth", "baseline_pool_depth", "measures")
        field_classes = {"measures": MeasuresField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_practice:
            del self.fields["pool_depth"], self.fields["baseline_pool_depth"]
        corpora = Corpus.objects.filter(collection=self.instance.collection_id).defer("members")
        if corpora:
            self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]
            self.fields["corpus"].empty_label = "the whole collection"  # type: ignore[attr-defined]
        else:
            del self.fields["corpus"]

    def clean_corpus(self) -> Corpus | None:
        """Return the corpus. Raises ValidationError for another one than runs were checked against."""
        corpus: Corpus | None = self.cleaned_data["corpus"]
        if "corpus" in self.changed_data and self.instance.runs.exists():
            raise forms.ValidationError("Runs were checked against this choice. Make a new task instead.")
        return corpus


class FamilyForm(forms.ModelForm[Family]):
    """A kind of runs."""

    class Meta:
        model = Family
        fields = ("name",)
        labels = {"name": "Name of the family"}

    def __init__(self, sent: Any = None, *, task: Task, **kwargs: Any) -> None:
        super().__init__(sent, instance=Family(task=task), **kwargs)


class QuestionForm(forms.ModelForm[Any]):
    """A question of the submission form."""

    class Meta:
        model: type[Any] = SubmissionQuestion
        fields: tuple[str, ...] = ("text", "name", "kind", "choices", "is_required")
        labels = {"text": "Question", "name": "Short name", "is_required": "A reply is required"}
        widgets = {"choices": forms.Textarea({"rows": 3})}

    def __init__(self, sent: Any = None, *, task: Task, place: int, **kwargs: Any) -> None:
        super().__init__(sent, instance=self._meta.model(task=task, place=place), **kwargs)

    def clean_name(self) -> str:
        """Reject a name that another question of the task has."""
        name = str(self.cleaned_data["name"])
        if self._meta.model.objects.filter(task=self.instance.task, name=name).exists():
            raise forms.ValidationError(f"Another question is named {name}. Choose another name.")
        return name


class TeamForm(forms.Form):
    """A team that organizers make."""

    name = forms.CharField(max_length=60, label="Name of the team")
    is_baseline = forms.BooleanField(required=False, label="The organizers' baselines")
