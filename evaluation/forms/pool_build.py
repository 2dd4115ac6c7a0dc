"""The form that freezes a pool: a name and how deep each run goes in."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from evaluation.models import Run

MAX_SEED = 2**32 - 1


class PoolBuildForm(forms.Form):
    """Name and seed of the pool, and one depth field a run."""

    name = forms.CharField(max_length=60)
    seed = forms.IntegerField(
        min_value=0, max_value=MAX_SEED, help_text="Fixes the order in which the items are shown."
    )

    def __init__(self, *args: Any, runs: Iterable[Run], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seed"].initial = secrets.randbelow(MAX_SEED)
        self.runs = list(runs)
        for run in self.runs:
            self.fields[_name(run)] = forms.IntegerField(
                label=f"Depth of {run.tag}",
                initial=run.depth_in_pool,
                min_value=0,
                max_value=run.task.max_per_topic,
            )

    @property
    def rows(self) -> list[tuple[Run, forms.BoundField]]:
        """Each run beside its depth field."""
        return [(run, self[_name(run)]) for run in self.runs]

    @property
    def depths(self) -> Mapping[int, int]:
        """Depth by the run's primary key; a run of depth 0 stays out of the pool."""
        chosen = {run.pk: self.cleaned_data[_name(run)] for run in self.runs}
        return {pk: depth for pk, depth in chosen.items() if depth}


def _name(run: Run) -> str:
    return f"depth_{run.pk}"
