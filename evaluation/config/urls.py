"""Root URLs: the pages of the three apps, the admin, the API and the health check."""

from django.contrib import admin
from django.urls import include, path

from evaluation.config.api import api, api_docs
from evaluation.config.monitoring.probes import health, live, metrics, ready
from evaluation.config.uploads import upload_check
from evaluation.platform.access.limits.views import too_many
from evaluation.platform.web.outages import site_failed
from evaluation.platform.web.refused_requests import refuse_request

handler400 = refuse_request
handler429 = too_many  # django-allauth's rate limits call it
handler500 = site_failed

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health", health, name="health"),
    path("live", live, name="live"),
    path("ready", ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path("upload-check", upload_check, name="upload_check"),
    path("api/v1/docs", api_docs, name="api_docs"),
    path("api/v1/", api.urls),
    # Django tries these in order, so the most frequent requests, those of judging, come first.
    path("", include("assessment.urls")),
    path("", include("evaluation.urls")),
    path("", include("judges.urls")),
]
