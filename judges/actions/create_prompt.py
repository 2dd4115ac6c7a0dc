"""Make a prompt, or a new version of one."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from evaluation.core.errors import InputError
from evaluation.models import User
from judges.core.prompts import BUILT_IN
from judges.core.prompts import Prompt as CorePrompt
from judges.models import Prompt


class PromptExists(InputError):
    """A version of the prompt says the very same."""


@transaction.atomic
def create_prompt(*, name: str, template: str, answer: str, by: User) -> Prompt:
    """Store the text as the next version under its name. Raises PromptRefused, PromptExists.

    Versions of a built-in prompt's name are counted on from the built-in one.
    """
    User.objects.select_for_update().get(pk=by.pk)  # versions by one person are counted one after the other
    made = CorePrompt(name=name, version=1, template=template, answer=answer).checked()
    rows = Prompt.objects.filter(name=name)
    built_in = [each for each in BUILT_IN if each.name == name]
    if made.sha256 in {*rows.values_list("sha256", flat=True), *(each.sha256 for each in built_in)}:
        raise PromptExists(f'A version of "{name}" says the very same. Use it, or change the text.')
    latest = rows.aggregate(latest=Max("version"))["latest"] or max((p.version for p in built_in), default=0)
    return Prompt.objects.create(
        name=name,
        version=latest + 1,
        template=template,
        answer=answer,
        sha256=made.sha256,
        created_by=by,
    )
