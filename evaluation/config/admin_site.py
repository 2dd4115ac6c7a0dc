"""The admin, entered by the site's own sign-in page: that one knows second factors and rate limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import Http404
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class TracksideSite(AdminSite):
    """Setup and records, for organizers and the site's staff."""

    site_title = "Trackside"
    site_header = "Trackside: setup and records"
    index_title = "Setup and records"

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Send the signed-out to the sign-in page; to those without business here it is not there."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.GET.get("next") or request.get_full_path())
