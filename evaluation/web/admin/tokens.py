"""Personal tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from evaluation.access.tokens import Token
from evaluation.web.admin.base import ReadOnlyAdmin

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    """Tokens by owner, for the site's staff; only owners create and revoke them."""

    list_display = ("user", "name", "prefix", "scopes", "created_at", "used_at", "expires_at", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("user__email", "user__name", "name", "prefix")
    readonly_fields = ("prefix", "created_at", "used_at", "revoked_at")
    exclude = ("sha256",)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the list only to the site's staff."""
        return request.user.is_active and request.user.is_superuser
