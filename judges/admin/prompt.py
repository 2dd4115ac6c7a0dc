"""Prompts to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from evaluation.admin.base import TracksideAdmin
from judges.actions.create_prompt import create_prompt
from judges.forms.prompt import PromptForm
from judges.models import Prompt

if TYPE_CHECKING:
    from django.http import HttpRequest

    from evaluation.views.finding import SignedInRequest


@admin.register(Prompt)
class PromptAdmin(TracksideAdmin):
    """Prompts to add to the built-in ones; a stored one never changes."""

    form = PromptForm
    list_display = ("name", "version", "answer", "sha256", "created_at", "created_by")
    list_select_related = ("created_by",)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: a changed text is a new version."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: judges were made with it."""
        return False

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Prompt,
        form: PromptForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the next version by the action, and let the admin go on with it."""
        obj.pk = create_prompt(name=obj.name, template=obj.template, answer=obj.answer, by=request.user).pk
