"""The admin, behind the site's own sign-in page, which has second factors and rate limits."""

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
    from django.urls import URLPattern, URLResolver


class TracksideSite(AdminSite):
    """Setup and records, for organizers and the site's staff."""

    site_title = "Trackside"
    site_header = "Trackside: setup and records"
    index_title = "Setup and records"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The admin's URLs without "view on site", because our rows have no such page."""
        return [each for each in super().get_urls() if getattr(each, "name", "") != "view_on_site"]

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirect signed-out visitors to the sign-in page; return 404 to accounts without access."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.GET.get("next") or request.get_full_path())
