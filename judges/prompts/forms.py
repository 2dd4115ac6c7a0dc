"""Forms to choose and write prompts."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet

from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, Track
from judges.prompts.actions import create_prompt
from judges.prompts.models import Prompt
from trackside.judging.prompts import CRITERIA
from trackside.judging.prompts import PromptTemplate as CorePrompt
from trackside.judging.settings import CLIP_PRESETS
from trackside.judging.shipped_prompts import BUILT_IN


def named_prompts(prompts: QuerySet[Prompt]) -> dict[str, CorePrompt]:
    """Return the built-in prompts and the given ones by name and version, and by track if they have one."""
    by_name = {_named(core): core for core in BUILT_IN}
    for prompt in prompts.select_related("track").order_by("name", "-version"):
        by_name[_named(prompt.core) + (f" of {prompt.track}" if prompt.track else "")] = prompt.core
    return by_name


def filled_prompts(task: Task) -> dict[str, CorePrompt]:
    """Return the prompts that judges of the task may have, by name.

    One that shows the criteria is returned for each version of them, the latest first.
    """
    criteria = Criteria.objects.filter(task=task).order_by("-version")
    filled: dict[str, CorePrompt] = {}
    for name, prompt in named_prompts(Prompt.objects.of_track(task.track)).items():
        if CRITERIA in prompt.template:
            filled |= {f"{name}, criteria {row.version}": prompt.with_criteria(row.words) for row in criteria}
        else:
            filled[name] = prompt
    return filled


def prompt_choices(prompts: Mapping[str, CorePrompt]) -> list[tuple[str, str]]:
    """Return the choices of a form; those of this software say that they are in its own words."""
    return [
        (name, f"{name}: our own words" if prompt in BUILT_IN else name) for name, prompt in prompts.items()
    ]


def _named(prompt: CorePrompt) -> str:
    return f"{prompt.name} (version {prompt.version})"


class PromptPreviewForm(forms.Form):
    """A choice of the prompts that the task's track may use, and of CLIP's presets."""

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prompts = filled_prompts(task)
        choices = [*prompt_choices(self._prompts), *((name, f"{name}: CLIP") for name in CLIP_PRESETS)]
        self.fields["named"] = forms.ChoiceField(choices=choices, label="Prompt or preset")

    @property
    def prompt(self) -> CorePrompt:
        """The chosen prompt, if the choice is no preset."""
        return self._prompts[self.cleaned_data["named"]]


class PromptForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new prompt, or the next version of one, for a track; staff can write it for the whole site."""

    is_of_site = forms.BooleanField(required=False, label="For the whole site")

    class Meta:
        model = Prompt
        fields = ("name", "template", "answer", "source")

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not by.is_superuser:
            del self.fields["is_of_site"]

    def create(self, track: Track, by: User) -> Prompt:
        """Store the prompt. Raises prompt-refused, prompt-exists."""
        values = dict(self.cleaned_data)
        return create_prompt(by=by, track=None if values.pop("is_of_site", False) else track, **values)
