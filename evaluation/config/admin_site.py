"""The admin, behind the site's own sign-in page, which has second factors and rate limits."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from evaluation.platform.access.people import Role, tracks_of

# Tables by the work that they are for, in this order. Tables in no group are internal and come last.
GROUPS = {
    "Tracks": "Track Task Criteria Collection Topic Document Picture Announcement Archiving Family "
    "SubmissionQuestion TeamLimit LateException Inquiry",
    "People": "User Membership Invitation Team EntryRules Application Token",
    "Judging by people": "JudgingPlan GoldItem ExtraQuestion Assignment TrainingReply",
    "Judging by models": "Judge Prompt Trial Comparison Job Mapping Price Rate Budget",
    "Records": "Run RunNote Pool Qrels Report Judgment Remark Import Mail LedgerEntry",
}
INTERNAL = "Internal tables"
UNUSED = {"view_on_site", "autocomplete"}


class TracksideSite(AdminSite):
    """All tables, for the site's staff; those of tracks also for their organizers."""

    site_title = "Trackside"
    site_header = "Trackside: setup and records"
    index_title = "Setup and records"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the admin's URLs without the two that no page uses."""
        return [url for url in super().get_urls() if getattr(url, "name", "") not in UNUSED]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the tables by the work that they are for, or those of one app as Django lists them."""
        apps: list[Any] = super().get_app_list(request, app_label)
        if app_label:
            return apps
        models = {model["object_name"]: model for app in apps for model in app["models"]}
        groups = {title: names.split() for title, names in GROUPS.items()}
        groups[INTERNAL] = sorted(models.keys() - {name for names in groups.values() for name in names})
        return [
            _group(title, [models[name] for name in names if name in models])
            for title, names in groups.items()
            if any(name in models for name in names)
        ]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person is of the site's staff or organizes a track."""
        user = request.user
        return bool(user.is_active and (user.is_superuser or tracks_of(user, Role.ORGANIZER)))

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's own signature
        """Answer what the person may not do as a missing page."""

        @wraps(view)
        def found(*values: Any, **named: Any) -> Any:
            try:
                return view(*values, **named)
            except PermissionDenied as error:
                raise Http404 from error

        return super().admin_view(found, cacheable)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirect signed-out visitors to the sign-in page; return 404 to accounts without access."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.GET.get("next") or request.get_full_path())


def _group(title: str, models: list[Any]) -> dict[str, Any]:
    label = title.lower().replace(" ", "-")
    return {
        "name": title,
        "app_label": label,
        "app_url": f"{reverse('admin:index')}#{label}",
        "has_module_perms": True,
        "models": models,
    }
