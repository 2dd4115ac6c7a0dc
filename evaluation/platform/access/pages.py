"""Pages of a person's own account."""

from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from evaluation.platform.access.actions import (
    change_account,
    create_token,
    revoke_token,
)
from evaluation.platform.access.forms import LanguageForm, PersonNameForm, TokenForm
from evaluation.platform.access.languages import chosen_language, reader_language
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.people import Membership
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.access.tokens import Token


@never_cache
@page_view
def account(request: SignedInRequest) -> HttpResponse:
    """Show name, address, sign-in methods and roles, with links to change them."""
    context = {
        "memberships": Membership.objects.filter(user=request.user).select_related("track", "team"),
        "has_second_factor": is_mfa_enabled(request.user),
        "linked_count": SocialAccount.objects.filter(user=request.user).count(),
        "has_providers": bool(settings.SIGN_IN_PROVIDERS),
        "language": dict(settings.LANGUAGES).get(request.user.language),
    }
    return render(request, "evaluation/access/account.html", context)


@never_cache
@form_view("token")
def account_tokens(request: SignedInRequest) -> HttpResponse:
    """List the person's tokens or create one; only this response shows its secret."""
    form = TokenForm(request.POST or None)
    made = None
    if form.is_valid():
        with error_in(form):
            made = create_token(by=request.user, **form.cleaned_data)
    context = {
        "form": TokenForm() if made else form,
        "made": made,
        "tokens": Token.objects.of(request.user),
        "now": timezone.now(),
        "site_url": settings.SITE_URL,
    }
    return render(request, "evaluation/access/account_tokens.html", context)


@post_view()
def token_revoke(request: SignedInRequest, number: int) -> HttpResponse:
    """Revoke one of the person's tokens."""
    token = get_object_or_404(Token.objects.of(request.user), pk=number)
    revoke_token(token=token, by=request.user)
    messages.success(
        request, gettext("{token} is revoked: no program can sign in with it.").format(token=token)
    )
    return redirect("account_tokens")


@form_view("change")
def name_change(request: SignedInRequest) -> HttpResponse:
    """Change the person's name."""
    form = PersonNameForm(request.POST or None, initial={"name": request.user.name})
    if form.is_valid():
        change_account(name=form.cleaned_data["name"], by=request.user)
        messages.success(request, gettext("Your name is changed."))
        return redirect("account")
    return render(request, "evaluation/access/name_change.html", {"form": form})


@form_view("change")
def language_change(request: SignedInRequest) -> HttpResponse:
    """Choose the language of the person's pages and mails."""
    form = LanguageForm(request.POST or None, initial={"language": chosen_language(request.user)})
    if form.is_valid():
        change_account(language=form.cleaned_data["language"], by=request.user)
        with translation.override(reader_language(request)):
            messages.success(request, gettext("Your language is changed."))
        return redirect("account")
    return render(request, "evaluation/access/language_change.html", {"form": form})


@post_view("change")
def reminders_change(request: SignedInRequest) -> HttpResponse:
    """Switch mails about closing and released tasks on or off."""
    change_account(has_reminders=not request.user.has_reminders, by=request.user)
    return redirect("account")
