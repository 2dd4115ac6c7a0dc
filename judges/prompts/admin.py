"""Admin of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from evaluation.access.admin_base import TracksideAdmin
from judges.prompts.actions import create_prompt
from judges.prompts.forms import PromptForm
from judges.prompts.models import Prompt

if TYPE_CHECKING:
    from django.db.models import ForeignKey
    from django.forms import ModelChoiceField
    from django.http import HttpRequest

    from evaluation.access.requests import SignedInRequest


@admin.register(Prompt)
class PromptAdmin(TracksideAdmin):
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

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: a changed text is a new version."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: judges may use it."""
        return False

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Prompt,
        form: PromptForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the next version by the action, and pass its key to the admin."""
        obj.pk = create_prompt(
            name=obj.name,
            template=obj.template,
            answer=obj.answer,
            source=obj.source,
            by=request.user,
            track=obj.track,
        ).pk
