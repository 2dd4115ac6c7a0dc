"""The list of judges that the user may use."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.access.requests import SignedInRequest
from judges.catalogue.models import Judge


@login_required
@require_safe
def judge_list(request: SignedInRequest) -> HttpResponse:
    """Compare the judges' settings; for organizers of any track."""
    if not request.user.is_staff:
        raise Http404
    judges = Judge.objects.visible_to(request.user).select_related("track")
    return render(request, "judges/catalogue/judge_list.html", {"judges": judges})
