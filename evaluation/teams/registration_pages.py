"""Pages of registration: the organizers' rules and decisions, and a team's application and signature."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from evaluation.access.limits.views import form_view, post_view
from evaluation.access.requests import SignedInRequest, error_shown
from evaluation.teams.forms import EntryRulesForm
from evaluation.teams.lookups import find_own_team
from evaluation.teams.models import Team
from evaluation.teams.registering import apply_for_track, decide_application, sign_agreement
from evaluation.teams.registration import WORDS_MAX, Application, EntryRules, Signature
from evaluation.tracks.lookups import find_organized_track
from evaluation.web.opened_forms import atomic_post

DECISIONS = {"approve": True, "decline": False}


@form_view("change")
@atomic_post
def track_registration(request: SignedInRequest, track: str) -> HttpResponse:
    """Set the track's requirements, and list the teams with their applications and signatures."""
    own_track = find_organized_track(request, track)
    rules = EntryRules.objects.of(own_track)
    form = EntryRulesForm(request.POST if request.method == "POST" else None, instance=rules)
    if form.is_valid():
        form.save()
        messages.success(request, "Saved. Uploads are checked by these rules from now on.")
        return redirect("track_registration", track)
    saved = EntryRules.objects.of(own_track)
    teams = Team.objects.filter(track=own_track, is_baseline=False).select_related("application__applied_by")
    signed = Signature.objects.filter(team__track=own_track, agreement_sha256=saved.agreement_sha256)
    signatures = {signature.team_id: signature for signature in signed.select_related("signed_by")}
    context = {
        "track": own_track,
        "form": form,
        "rules": saved,
        "rows": [(team, signatures.get(team.pk)) for team in teams],
        "words_max": WORDS_MAX,
    }
    return render(request, "evaluation/teams/track_registration.html", context)


@post_view("announcement")
def team_decide(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Approve or decline a team; organizers only."""
    own_track = find_organized_track(request, track)
    chosen = get_object_or_404(Team.objects.filter(track=own_track, is_baseline=False), pk=team)
    decision, note = request.POST.get("decision", ""), request.POST.get("note", "")
    if decision not in DECISIONS:
        messages.error(request, "Choose: approve or decline.")
        return redirect("track_registration", track)
    with error_shown(request):
        decided = decide_application(team=chosen, is_approved=DECISIONS[decision], note=note, by=request.user)
        messages.success(request, f"{chosen} is {decided.get_state_display()}. Its members get a mail.")
    return redirect("track_registration", track)


@post_view("change")
def team_apply(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Ask the organizers to approve the team; its owner only."""
    own_team = find_own_team(request, track, team)
    if not EntryRules.objects.of(own_team.track).needs_approval:
        raise Http404
    with error_shown(request):
        apply_for_track(team=own_team, words=request.POST.get("words", ""), by=request.user)
        messages.success(request, "The organizers see your application. You get a mail with their decision.")
    return redirect("team_detail", track, team)


@post_view("change")
def team_sign(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Sign the agreement for the team; its owner only."""
    own_team = find_own_team(request, track, team)
    sha256 = request.POST.get("agreement_sha256", "")
    with error_shown(request):
        sign_agreement(team=own_team, agreement_sha256=sha256, by=request.user)
        messages.success(request, f"{own_team} has signed the agreement.")
    return redirect("team_detail", track, team)


def registration_of(team: Team) -> dict[str, Any]:
    """Return the context of a team's registration for its page; empty without requirements."""
    rules = EntryRules.objects.of(team.track)
    if team.is_baseline or not (rules.needs_approval or rules.agreement_sha256):
        return {}
    signatures = Signature.objects.filter(team=team).select_related("signed_by")
    return {
        "rules": rules,
        "application": Application.objects.filter(team=team).first(),
        "signature": signatures.filter(agreement_sha256=rules.agreement_sha256).first(),
        "older_signature": signatures.exclude(agreement_sha256=rules.agreement_sha256).first(),
        "words_max": WORDS_MAX,
    }
