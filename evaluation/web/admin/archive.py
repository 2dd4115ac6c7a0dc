"""Base class of all admin pages that refuses changes in archived tracks."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from trackside.errors import InputError


class ArchiveGuard(admin.ModelAdmin[Any]):
    """Refuses forms and actions that change a row of an archived track; rows without a track are exempt."""

    track_path: ClassVar[str] = ""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Refuse a change of the row with the reason."""
        if request.method == "POST" and object_id:
            self._check_not_archived(self.get_object(request, object_id))
        return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Refuse the deletion of the row with the reason."""
        if request.method == "POST":
            self._check_not_archived(self.get_object(request, object_id))
        return super().delete_view(request, object_id, extra_context)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *rest: Any, **named: Any) -> Any:
        """Refuse an action if one of its rows is in an archived track. Raises row-archived, BadRequest."""
        try:
            chosen = queryset.filter(pk__in=request.POST.getlist(ACTION_CHECKBOX_NAME))
        except (ValueError, ValidationError) as error:
            raise BadRequest("The key of a chosen row is malformed.") from error
        rows = queryset if request.POST.get("select_across") == "1" else chosen
        self._check_not_archived(self.archived_rows(rows).first())
        return super().response_action(request, queryset, *rest, **named)

    def archived_rows(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that are in an archived track."""
        if not self.track_path:
            return rows.none()
        path = "archiving" if self.track_path == "pk" else f"{self.track_path}__archiving"
        return rows.filter(**{f"{path}__isnull": False})

    def is_archived(self, obj: Any | None) -> bool:
        """Whether the row is in an archived track."""
        if obj is None or obj.pk is None:
            return False
        rows = self.model._default_manager.filter(pk=obj.pk)  # noqa: SLF001 - Django's documented name
        return self.archived_rows(rows).exists()

    def _check_not_archived(self, obj: Any | None) -> None:
        if self.is_archived(obj):
            raise InputError(
                f"{obj}: its track is archived. Restore it on its page to change it.", code="row-archived"
            )
