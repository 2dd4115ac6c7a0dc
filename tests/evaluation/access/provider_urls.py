"""The site's URLs, with those of OpenID Connect, which the test settings do not enable."""

from django.urls import include, path

from evaluation.config import urls as site

handler429 = site.handler429
urlpatterns = [
    path("account/", include("allauth.socialaccount.providers.openid_connect.urls")),
    *site.urlpatterns,
]
