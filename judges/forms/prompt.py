"""Choosing and writing prompts."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.core.errors import InputError
from judges.core.prompts import BUILT_IN
from judges.core.prompts import Prompt as CorePrompt
from judges.models import Prompt


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
