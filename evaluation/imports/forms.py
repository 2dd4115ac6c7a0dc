"""Form of an import: the file, and further fields of its kind."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from evaluation.collections.models import TopicState
from evaluation.imports.actions import check_size
from evaluation.imports.models import ImportKind
from evaluation.qrels.models import QrelsKind
from evaluation.teams.models import Team
from evaluation.tracks.models import Task
from trackside.errors import InputError

FILES = {
    ImportKind.TOPICS: "JSON, CSV or TSV with a header, XML, or TREC's <top> elements; for topics with "
    "pictures a zip or Parquet, as for documents. The next page shows five topics as assessors and models "
    "will see them, and you choose the use of each field.",
    ImportKind.COLLECTION: "A zip of images (.jpg, .png, .webp) with captions as .jsonl, .csv, .tsv, .json "
    "or a .txt beside each image; Parquet, such as AToMiC's; or JSON, CSV, TSV or XML alone. The next page "
    "shows five documents as assessors and models will see them, and you choose the use of each field.",
    ImportKind.DOCNOS: "One docno per line, packed or not: enough to check runs, but not to judge.",
    ImportKind.RUNS: "A zip of run files, packed or not. Each is checked like an upload of the team.",
    ImportKind.QRELS: "Lines of topic, 0, docno and grade, packed or not. A negative grade is not judged.",
}
OF_KINDS = {
    "state": (ImportKind.TOPICS,),
    "columns": (ImportKind.TOPICS, ImportKind.COLLECTION),
    "team": (ImportKind.RUNS,),
    "name": (ImportKind.QRELS,),
    "graded_by": (ImportKind.QRELS,),
    "source": (ImportKind.QRELS,),
}


class ImportUploadForm(forms.Form):
    """A file of one kind; fields of other kinds are removed."""

    file = forms.FileField()
    state = forms.ChoiceField(
        label="New topics are",
        choices=TopicState,
        initial=TopicState.ACTIVE,
        help_text="Drafts do not count yet.",
    )
    columns = forms.CharField(
        max_length=400,
        required=False,
        help_text="Only for a CSV or TSV without a header: the names of its columns, separated by blanks, "
        "such as: id title.",
    )
    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None, label="Baselines' team")
    name = forms.SlugField(
        max_length=60, label="Name of the qrels", help_text="Qrels of a known name become its next version."
    )
    graded_by = forms.ChoiceField(
        choices=[(kind.value, kind.label) for kind in (QrelsKind.HUMAN, QrelsKind.SECOND)]
    )
    source = forms.CharField(
        max_length=400, required=False, help_text="Where the grades come from; stored in their provenance."
    )

    def __init__(self, *args: Any, kind: ImportKind, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name, owners in OF_KINDS.items():
            if kind not in owners:
                del self.fields[name]
        if "team" in self.fields:
            teams = Team.objects.filter(track=task.track, is_baseline=True)
            self.fields["team"].queryset = teams  # type: ignore[attr-defined]

    def clean_file(self) -> UploadedFile[bytes]:
        """Reject a file over the site's limit."""
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        try:
            check_size(file.size or 0)
        except InputError as error:
            raise forms.ValidationError(str(error)) from error
        return file

    @property
    def options(self) -> dict[str, str]:
        """Return the fields other than file and team, for ``Import.options``."""
        values = self.cleaned_data
        if self.kind == ImportKind.TOPICS:
            return {"state": values["state"], "columns": values["columns"]}
        if self.kind == ImportKind.COLLECTION:
            return {"columns": values["columns"]}
        if self.kind == ImportKind.QRELS:
            return {"name": values["name"], "kind": values["graded_by"], "source": values["source"]}
        return {}
