"""Forms and adapters for django-allauth."""

from collections import deque
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import AddEmailForm, LoginForm, ResetPasswordForm, SignupForm
from allauth.account.utils import setup_user_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import RateLimitUsage, get_ip, respond_429
from django.conf import settings
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.db import Error, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy

from evaluation.platform.access.languages import chosen_language
from evaluation.platform.access.limits.views import count_attempt, forget_attempts
from evaluation.platform.access.people import User
from evaluation.platform.access.site_mail import sends_mail


class AccountAddForm(AdminUserCreationForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new account, with or without a password."""

    class Meta:
        model = User
        fields = ("email", "name")


class AccountChangeForm(UserChangeForm):  # type: ignore[type-arg]  # no subscript at run time
    """All fields of an account except its password."""

    class Meta:
        model = User
        fields = ("email", "name", "password", "is_active", "is_superuser", "has_reminders")


class AccountAdapter(DefaultAccountAdapter):
    """Account mails with links to SITE_URL, and sign-in limits."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether strangers can make an account: only with a mailed code, or by a link of an invitation."""
        return sends_mail()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Render and send a mail in the language that its reader has chosen, else in the page's language.

        Its links start with SITE_URL, not with the request's Host header.
        """
        links = {
            name: settings.SITE_URL + urlsplit(link).path
            for name, link in context.items()
            if name.endswith("_url")
        }
        person = context.get("user")
        with translation.override((person and chosen_language(person)) or translation.get_language()):
            self.render_mail(template_prefix, email, context | links | {"email": email}).send()

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count failed logins per account and IP address, so that strangers cannot lock out the owner."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{get_ip(request)}"

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Count no attempt that ends in an error of the database: its password may have been right."""
        self._login_failed_rl_usage = self._attempt = None
        try:
            _forget_undecided()
            return super().authenticate(request, **credentials)
        except Error:
            UNDECIDED.extend(filter(None, (self._login_failed_rl_usage, self._attempt)))
            with suppress(Error):
                _forget_undecided()
            raise

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in; return 429 above the limit of the address or of the account."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            raise ImmediateHttpResponse(respond_429(request)) from error
        self._attempt = count_attempt(request, "wrong_password", _account_key(credentials))
        if not self._attempt:
            raise ImmediateHttpResponse(respond_429(request))

    def _rollback_login_failed_rl_usage(self) -> None:
        """Count only wrong passwords."""
        super()._rollback_login_failed_rl_usage()
        if self._attempt:
            self._attempt.rollback()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Forget wrong passwords from all addresses after a new one by mail: the way in for the owner."""
        super()._delete_login_attempts_cached_email(request, **credentials)
        forget_attempts(request, "wrong_password", _account_key(credentials))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the account page, which shows the success message."""
        return reverse("account")


# Counted attempts that ended in an error, and could not be forgotten because the counter was away, too.
UNDECIDED: deque[RateLimitUsage] = deque()


def _forget_undecided() -> None:
    while UNDECIDED:
        UNDECIDED[0].rollback()
        UNDECIDED.popleft()


def _account_key(credentials: dict[str, Any]) -> str:
    return f"account:{credentials.get('email', '').lower()}"


class AddressLabelMixin:
    """Form mixin: label addresses as "E-mail address", as on all pages, and remove placeholders."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & {"login", "email"}:
            self.fields[name].label = gettext_lazy("E-mail address")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class SignInForm(AddressLabelMixin, LoginForm):
    """Address and password."""


class SignUpForm(AddressLabelMixin, SignupForm):
    """Name, address and password of a new account.

    Neither the response nor its timing reveals whether the address has an account. If it has one, the form
    creates an account with a random address and hashes the password, then rolls both back.
    """

    field_order = ("name", "email", "password1")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account, or mail the owner that it exists; both do the same work."""
        try:
            with transaction.atomic():
                return self._save(request)
        except IntegrityError:  # a concurrent request has created the account since the form was checked
            self.account_already_exists = True
            return self._save(request)

    def _save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            self._create_and_roll_back(request)
        result: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return result

    def _create_and_roll_back(self, request: HttpRequest) -> None:
        with transaction.atomic():
            user = User.objects.create_user(f"{uuid4().hex}@invalid.example", self.cleaned_data["password1"])
            self.custom_signup(request, user)
            setup_user_email(request, user, [])
            transaction.set_rollback(True)


class ResetForm(AddressLabelMixin, ResetPasswordForm):
    """The address that receives the link for a new password."""


class AddressForm(AddressLabelMixin, AddEmailForm):
    """The new address, which replaces the current one."""
