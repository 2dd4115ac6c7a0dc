"""Personal tokens: made here, shown once, revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.actions.create_token import create_token
from evaluation.actions.revoke_token import revoke_token
from evaluation.forms.token import TokenForm
from evaluation.models import Token

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account_tokens(request: SignedInRequest) -> HttpResponse:
    """List one's tokens and make another; its secret stands in this one answer and nowhere else."""
    form = TokenForm(request.POST or None)
    made = create_token(by=request.user, **form.cleaned_data) if form.is_valid() else None
    context = {
        "form": TokenForm() if made else form,
        "made": made,
        "tokens": Token.objects.of(request.user),
        "now": timezone.now(),
        "site_url": settings.SITE_URL,
    }
    return render(request, "evaluation/account_tokens.html", context)


@login_required
@require_POST
def token_revoke(request: SignedInRequest, number: int) -> HttpResponse:
    """Make one of one's tokens useless."""
    token = get_object_or_404(Token.objects.of(request.user), pk=number)
    revoke_token(token=token, by=request.user)
    messages.success(request, f"{token} is revoked: no program gets in with it any more.")
    return redirect("account_tokens")
