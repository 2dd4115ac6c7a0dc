"""The file of an import, and what its kind needs besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings

from evaluation.models import ImportKind, QrelsKind, Team, TopicState

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    from evaluation.models import Task

FILES = {
    ImportKind.TOPICS: "JSON lines with a field id, CSV or TSV with a header, or TREC's <top> elements. "
    "Every other field is a text of the topic, but note, which is a remark for its readers.",
    ImportKind.COLLECTION: "A zip of images (.jpg, .png, .webp) with captions as .jsonl, each naming its "
    "image in the field image or by its own docno; Parquet as AToMiC has it; or JSON lines alone.",
    ImportKind.DOCNOS: "One docno a line, packed or not: enough for checking runs, too little for judging.",
    ImportKind.RUNS: "A zip of run files, packed or not. Each is checked as an upload of the team is.",
    ImportKind.QRELS: "Lines of topic, 0, docno and grade, packed or not. A negative grade is not judged.",
}
OF_KIND = {
    "state": ImportKind.TOPICS,
    "team": ImportKind.RUNS,
    "name": ImportKind.QRELS,
    "graded_by": ImportKind.QRELS,
    "source": ImportKind.QRELS,
}


class ImportUploadForm(forms.Form):
    """A file of one kind; fields of other kinds are left out."""

    file = forms.FileField()
    state = forms.ChoiceField(
        label="New topics are",
        choices=TopicState,
        initial=TopicState.ACTIVE,
        help_text="Drafts do not count yet.",
    )
    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None, label="Baselines’ team")
    name = forms.SlugField(
        max_length=60, label="Name of the qrels", help_text="A known name gets a new version."
    )
    graded_by = forms.ChoiceField(
        choices=[(kind.value, kind.label) for kind in (QrelsKind.HUMAN, QrelsKind.SECOND)]
    )
    source = forms.CharField(
        max_length=400, required=False, help_text="Where they come from; it stands in their provenance."
    )

    def __init__(self, *args: Any, kind: ImportKind, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name, owner in OF_KIND.items():
            if owner != kind:
                del self.fields[name]
        if "team" in self.fields:
            teams = Team.objects.filter(track=task.track, is_baseline=True)
            self.fields["team"].queryset = teams  # type: ignore[attr-defined]

    def clean_file(self) -> UploadedFile[bytes]:
        """Refuse a file over the site's limit."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        limit = settings.MAX_IMPORT_BYTES
        if (file.size or 0) > limit:
            raise forms.ValidationError(f"The file is larger than {limit / 2**20:,.0f} MiB. Split it.")
        return file

    @property
    def options(self) -> dict[str, str]:
        """What the import keeps of the fields besides file and team."""
        given = self.cleaned_data
        if self.kind == ImportKind.TOPICS:
            return {"state": given["state"]}
        if self.kind == ImportKind.QRELS:
            return {"name": given["name"], "kind": given["graded_by"], "source": given["source"]}
        return {}
