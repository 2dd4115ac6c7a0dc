"""The form that freezes a pool: its name, method and the depth of each run."""

import math
import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, cast

from django import forms
from django.db import models

from evaluation.submissions.pools.models import Pool
from evaluation.submissions.runs.models import Run
from trackside.pooling.recipes import (
    AdaptiveRecipe,
    BudgetRecipe,
    DepthRecipe,
    Learning,
    Priority,
    Recipe,
    SampleRecipe,
    Stratum,
)

MAX_SEED = 2**32 - 1
DEEPEST = 1_000_000  # rank in a run


class PoolChoiceField(forms.ModelChoiceField):  # type: ignore[type-arg]  # no subscript at run time
    """A choice of one task's pools, by their names."""

    def label_from_instance(self, pool: Pool) -> str:
        """Return the name: the page names the task."""
        return pool.name


class PoolingMethod(models.TextChoices):
    """How a pool is drawn from the results down to the runs' depths."""

    DEPTH = "depth", "everything"
    RRF = "rrf", "a budget, by reciprocal ranks (RRF)"
    MNZ = "mnz", "a budget, by CombMNZ of ranks"
    RBP = "rbp", "a budget, by weights of RBP"
    STRATA = "strata", "a sample of each stratum"
    MTF = "mtf", "the next batch, move-to-front"
    MAXMEAN = "maxmean", "the next batch, by the MaxMean bandit"


SIZED = {PoolingMethod.RRF, PoolingMethod.MNZ, PoolingMethod.RBP, PoolingMethod.MTF, PoolingMethod.MAXMEAN}


class PoolBuildForm(forms.Form):
    """Name and seed of the pool, its method, and one depth field per run."""

    name = forms.CharField(max_length=60)
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=partial(secrets.randbelow, MAX_SEED),
        help_text="Fixes the order in which the items are shown.",
    )
    method = forms.ChoiceField(choices=PoolingMethod.choices, initial=PoolingMethod.DEPTH, required=False)
    per_topic = forms.IntegerField(
        label="Items of each topic",
        min_value=1,
        max_value=10_000,
        initial=50,
        required=False,
        help_text="The budget, or the size of the next batch. Ignored if everything or a sample is drawn.",
    )
    strata = forms.CharField(
        max_length=200,
        required=False,
        initial="10:1 50:0.25 100:0.1",
        help_text=(
            "For a sample: depth and share of each stratum, from the top down. The last stratum "
            "sets the depth of every run whose depth is not 0."
        ),
    )

    max_priority = forms.IntegerField(
        label="Up to priority",
        min_value=1,
        required=False,
        help_text="Pools only runs with this priority number or a lower one. Empty: pools all runs.",
    )

    leaves_out_bare = forms.BooleanField(
        label="Leave out items without a picture or text to grade",
        required=False,
        help_text="A task that retrieves pictures needs a picture, any other a text. Documents with neither "
        "are always left out.",
    )

    without_waiting = forms.BooleanField(
        label="Freeze without the runs that wait",
        required=False,
        help_text="Runs of imports and uploads that have not ended miss the pool: what they alone found "
        "stays unjudged.",
    )

    def __init__(self, *args: Any, runs: Iterable[Run], depth: int | None = None, **kwargs: Any) -> None:
        """Create the form for these runs, which begin with ``depth`` or each with its own."""
        super().__init__(*args, **kwargs)
        self.runs = list(runs)
        for run in self.runs:
            self.fields[_name(run)] = forms.IntegerField(
                label=f"Depth of {run.tag}",
                initial=run.depth_in_pool if depth is None else min(depth, run.task.max_per_topic),
                min_value=0,
                max_value=run.task.max_per_topic,
            )

    def clean(self) -> dict[str, Any]:
        """Require the size of a budget or a batch, and the strata of a sample."""
        sent = super().clean() or self.cleaned_data
        method = sent.get("method")
        if method in SIZED and not sent.get("per_topic") and "per_topic" not in self.errors:
            self.add_error("per_topic", "Say how many items of each topic.")
        if method == PoolingMethod.STRATA:
            try:
                self.stratum_list = _strata(sent.get("strata", ""))
            except ValueError:
                self.add_error(
                    "strata",
                    "Write depth:share for each stratum, such as 10:1 50:0.25 100:0.1, with depths from 1 to "
                    f"{DEEPEST:,}.",
                )
        return sent

    def recipe(self, pooled: Mapping[tuple[str, str], bool], log: Mapping[str, Any]) -> Recipe:
        """Return the chosen recipe; an adaptive batch uses ``pooled`` and ``log`` of ``find_judged``."""
        method, per_topic = self.cleaned_data["method"] or PoolingMethod.DEPTH, self.cleaned_data["per_topic"]
        match method:
            case PoolingMethod.STRATA:
                return SampleRecipe(self.stratum_list)
            case PoolingMethod.RRF | PoolingMethod.MNZ | PoolingMethod.RBP:
                return BudgetRecipe(cast("Priority", method), per_topic)
            case PoolingMethod.MTF | PoolingMethod.MAXMEAN:
                return AdaptiveRecipe(cast("Learning", method), per_topic, pooled, log)
        return DepthRecipe()

    @property
    def options(self) -> dict[str, Any]:
        """Return the checked values, from which an equal form can be made."""
        return dict(self.cleaned_data)

    @property
    def has_run_errors(self) -> bool:
        """Whether a depth of a run is wrong."""
        return any(_name(run) in self.errors for run in self.runs)

    @property
    def rows(self) -> list[tuple[Run, forms.BoundField]]:
        """Return each run with its depth field."""
        return [(run, self[_name(run)]) for run in self.runs]

    @property
    def depths(self) -> Mapping[int, int]:
        """Return depths by the run's primary key, without runs of depth 0 or of too low a priority.

        A sample takes every run down to its last stratum, else the probabilities would be wrong.
        """
        last = self.cleaned_data.get("max_priority")
        wanted = [run for run in self.runs if last is None or (run.pool_priority or math.inf) <= last]
        chosen = {run.pk: self.cleaned_data[_name(run)] for run in wanted}
        if self.cleaned_data["method"] == PoolingMethod.STRATA:
            chosen = {pk: depth and self.stratum_list[-1].depth for pk, depth in chosen.items()}
        return {pk: depth for pk, depth in chosen.items() if depth}


def _strata(text: str) -> tuple[Stratum, ...]:
    """Parse strata written as depth:share, separated by blanks. Raises ValueError."""
    pairs = [word.split(":") for word in text.split()]
    strata = tuple(Stratum(int(depth), float(rate)) for depth, rate in pairs)
    if not strata or not all(0 < stratum.depth <= DEEPEST for stratum in strata):
        raise ValueError(text)
    return strata


def _name(run: Run) -> str:
    return f"depth_{run.pk}"
