"""Root URLs: the pages of the three apps, the admin, the API and the health check."""

from django.contrib import admin
from django.urls import include, path

from evaluation.config.api import api
from evaluation.config.api_docs import api_docs
from evaluation.views.health import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health", health, name="health"),
    path("api/v1/docs", api_docs, name="api_docs"),
    path("api/v1/", api.urls),
    path("", include("evaluation.urls")),
    path("", include("assessment.urls")),
    path("", include("judges.urls")),
]
