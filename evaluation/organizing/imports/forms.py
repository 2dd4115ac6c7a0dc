"""Forms of an import: the file, further fields of its kind, and the use of each field of the file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.models import NEW_STATES, TopicState
from evaluation.organizing.imports.actions import check_size
from evaluation.organizing.imports.models import Import
from evaluation.results.qrels.models import QrelsKind
from evaluation.submissions.teams.models import Team
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.imports.fields import FieldChoice, FieldsRefused, Use

FILES = {
    ImportKind.TOPICS: "JSON, CSV or TSV with a header, XML, or TREC's <top> elements; for topics with "
    "pictures a zip or Parquet, as for documents. The next page shows five topics as assessors and models "
    "will see them, and you choose the use of each field.",
    ImportKind.COLLECTION: "A zip of images (.jpg, .png, .webp) with captions as .jsonl, .csv, .tsv, .json "
    "or a .txt beside each image; Parquet, such as AToMiC's; or JSON, CSV, TSV or XML alone. The next page "
    "shows five documents as assessors and models will see them, and you choose the use of each field.",
    ImportKind.DOCNOS: "One docno per line, packed or not: enough to check runs, but not to judge.",
    ImportKind.CORPUS: "One docno of the collection per line, packed or not. The rules for runs choose the "
    "corpus of a task.",
    ImportKind.RUNS: "A zip of run files, packed or not. Each is checked like an upload of the team.",
    ImportKind.QRELS: "Lines of topic, 0, docno and grade, packed or not. A negative grade is not judged.",
}
OF_KINDS = {
    "state": (ImportKind.TOPICS,),
    "columns": (ImportKind.TOPICS, ImportKind.COLLECTION),
    "team": (ImportKind.RUNS,),
    "name": (ImportKind.QRELS, ImportKind.CORPUS),
    "graded_by": (ImportKind.QRELS,),
    "source": (ImportKind.QRELS,),
}


class ImportUploadForm(forms.Form):
    """A file of one kind; fields of other kinds are removed."""

    file = forms.FileField()
    state = forms.ChoiceField(
        label="New topics are",
        choices=NEW_STATES,
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
        max_length=60, help_text="Qrels of a known name become its next version; a corpus needs a new one."
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
        return {"name": values["name"]} if self.kind == ImportKind.CORPUS else {}


SINGLE = {
    Use.NAME: "id",
    Use.PICTURE: "picture",
    Use.STRATUM: "stratum",
    Use.NOTE: "note",
    Use.ROWS: "rows",
}
LONGEST_EXAMPLE = 100  # characters of a value
ONLY_OF_TOPICS = (Use.STRATUM, Use.NOTE)


def field_rows(task_import: Import) -> list[dict[str, Any]]:
    """Return the fields of the file in reading order: those that people and models see come first."""
    texts = list(task_import.choice.get("texts", []))
    roles = {name: role for role, name in task_import.roles.items()}
    rows = [
        {
            "number": number,
            "name": field["name"],
            "use": field["use"],
            "role": roles.get(field["name"], ""),
            "percent": round(100 * field["share"]),
            "uses": uses_of(task_import, is_list=field.get("is_list", False)),
            "example": _example(task_import, field["name"]) if field.get("is_asked") else "",
            "place": texts.index(field["name"]) if field["name"] in texts else len(texts) + number,
            "is_text": field["use"] == Use.TEXT,
        }
        for number, field in enumerate(task_import.fields)
    ]
    rows.sort(key=lambda row: (not row["is_text"], row["place"]))
    return [row | {"order": order} for order, row in enumerate(rows, start=1)]


def uses_of(task_import: Import, *, is_list: bool) -> list[str]:
    """Return the uses that a field can have. Documents have neither stratum nor note.

    A list of objects can hold the rows, and names nothing.
    """
    if is_list:
        return [str(use) for use in (Use.ROWS, Use.TEXT, Use.LEFT_OUT)]
    is_topics = task_import.kind == ImportKind.TOPICS
    return [str(use) for use in Use if use != Use.ROWS and (is_topics or use not in ONLY_OF_TOPICS)]


def _example(task_import: Import, name: str) -> str:
    """Return a value of a field that is left out, from the first records."""
    values = [text for sample in task_import.samples for key, text in sample["left_out"] if key == name]
    return values[0][:LONGEST_EXAMPLE] if values else ""


def posted_choice(task_import: Import, posted: QueryDict) -> FieldChoice:
    """Return the choice of the form. Raises FieldsRefused."""
    chosen: dict[str, list[tuple[int, str]]] = {}
    roles: dict[str, str] = {}
    for number, field in enumerate(task_import.fields):
        use = posted.get(f"use-{number}", field["use"])
        chosen.setdefault(use, []).append((_order(posted.get(f"order-{number}", "")), field["name"]))
        if (role := posted.get(f"role-{number}", "")) and use == Use.TEXT:
            if role in roles:
                raise FieldsRefused(f"{roles[role]}, {field['name']}: only one field can be the {role}.")
            roles[role] = field["name"]
    for use, part in SINGLE.items():
        if len(chosen.get(use, [])) > 1:
            names = ", ".join(name for _, name in chosen[use])
            raise FieldsRefused(f"{names}: only one field can be the {part}. Choose other uses.")
    values: dict[str, Any] = {part: chosen[use][0][1] for use, part in SINGLE.items() if use in chosen}
    values["texts"] = [name for _, name in sorted(chosen.get(Use.TEXT, []), key=lambda pair: pair[0])]
    values["left_out"] = [name for _, name in chosen.get(Use.LEFT_OUT, [])]
    return FieldChoice.from_json(values | {"roles": roles})


def _order(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 10**6


def why_waiting(task_import: Import) -> str:
    """Return what a waiting import waits for; "" if it does not wait."""
    if not task_import.is_waiting:
        return ""
    if other := Import.rows().claimed().filter(task=task_import.task_id).first():
        return f"for the import {other}: the imports of a task run one after another"
    if Import.rows().are_untaken():
        return "for a worker; none has taken an import for a minute"
    return "for a worker"
