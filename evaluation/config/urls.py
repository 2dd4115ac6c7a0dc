"""Root URLs: the pages of the three apps, the admin and the health check."""

from django.contrib import admin
from django.urls import include, path

from evaluation.views.health import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health", health, name="health"),
    path("", include("evaluation.urls")),
    path("", include("assessment.urls")),
    path("", include("judges.urls")),
]
