"""The site's URLs, with those of OpenID Connect and GitHub, which the test settings do not enable."""

from allauth.socialaccount.providers.github import urls as github
from allauth.socialaccount.providers.openid_connect import urls as openid_connect
from django.urls import include, path

from evaluation.access.linked_accounts import guarded
from evaluation.config import urls as site

handler429 = site.handler429
urlpatterns = [
    path("account/", include(guarded([*openid_connect.urlpatterns, *github.urlpatterns]))),
    *site.urlpatterns,
]
