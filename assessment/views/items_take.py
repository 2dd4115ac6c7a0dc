"""Taking the next items of a pool that is judged item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from assessment.actions.lease_items import lease_items
from assessment.models import Slot
from assessment.views.finding import redirect_onwards
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_POST
def items_take(request: SignedInRequest) -> HttpResponse:
    """Lease the next items and go to the first of them; back to the list where there are none."""
    number = request.POST.get("pool", "")
    pools = Slot.objects.queued_pools(request.user)
    pool = get_object_or_404(pools, pk=int(number) if number.isdecimal() else None)
    try:
        leased = lease_items(pool=pool, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("judging_list")
    return redirect_onwards(leased, after=0)
