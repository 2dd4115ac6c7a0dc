"""One's own account."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Show name, address and roles, with the ways to change the password and to sign out."""
    memberships = Membership.objects.filter(user=request.user).select_related("track", "team")
    return render(request, "evaluation/account.html", {"memberships": memberships})
