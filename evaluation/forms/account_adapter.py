"""Where django-allauth asks the site how it wants things done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.urls import reverse

if TYPE_CHECKING:
    from django.http import HttpRequest

    from evaluation.models import User


class AccountAdapter(DefaultAccountAdapter):
    """Mails whose links lead to the site's own address."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the mail of a template; its links begin with SITE_URL, whatever host the request named."""
        links = {
            name: settings.SITE_URL + urlsplit(link).path
            for name, link in context.items()
            if name.endswith("_url")
        }
        self.render_mail(template_prefix, email, context | links | {"email": email}).send()

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Back to the account's page, where the message stands that it is done."""
        return reverse("account")


class LinkedAccountAdapter(DefaultSocialAccountAdapter):
    """Accounts made through a provider."""

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """Take over the name that the provider gives; addresses are django-allauth's business."""
        user: User = super().populate_user(request, sociallogin, data)
        parts = (data.get("first_name"), data.get("last_name"))
        user.name = (data.get("name") or " ".join(filter(None, parts)))[:120]
        return user
