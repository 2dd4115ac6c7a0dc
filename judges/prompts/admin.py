"""Admin of prompts."""

from typing import Any

from django.contrib import admin
from django.db.models import ForeignKey
from django.forms import ModelChoiceField
from django.http import HttpRequest

from evaluation.access.people import User
from evaluation.web.admin.base import AddOnlyAdmin
from judges.prompts.actions import create_prompt
from judges.prompts.forms import PromptForm
from judges.prompts.models import Prompt


@admin.register(Prompt)
class PromptAdmin(AddOnlyAdmin):
    """Prompts beside the built-in ones; a stored prompt never changes."""

    form = PromptForm
    list_display = ("name", "track", "version", "answer", "text_sha256", "source", "created_at", "created_by")
    list_select_related = ("created_by", "track")

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        """Only staff create prompts for the whole site."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field and db_field.name == "track":
            field.required = not request.user.is_superuser
        return field

    def add_row(self, row: Prompt, form: PromptForm, by: User) -> Prompt:
        """Store the next version of the prompt."""
        return create_prompt(
            name=row.name, template=row.template, answer=row.answer, source=row.source, by=by, track=row.track
        )
