"""Taking in another judge's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings

from evaluation.models import Pool

if TYPE_CHECKING:
    from evaluation.models import Task


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
