"""One's own account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Membership

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@require_safe
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    """Show name, address, ways to sign in and roles, with the way to change each."""
    context = {
        "memberships": Membership.objects.filter(user=request.user).select_related("track", "team"),
        "has_second_factor": is_mfa_enabled(request.user),
        "linked_count": SocialAccount.objects.filter(user=request.user).count(),
        "has_providers": bool(settings.SIGN_IN_PROVIDERS),
    }
    return render(request, "evaluation/account.html", context)
