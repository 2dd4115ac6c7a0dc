"""Pages of a team, and of the registration that a track asks for."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.people import Membership, User, organizes
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown
from evaluation.platform.access.site_mail import if_mailed
from evaluation.platform.web.opened_forms import atomic_post
from evaluation.submissions.teams.forms import EntryRulesForm, TeamNameForm
from evaluation.submissions.teams.lookups import find_own_team, find_team
from evaluation.submissions.teams.membership import (
    AlreadyInTeam,
    close_team_link,
    create_team,
    find_team_to_join,
    hand_over_team,
    join_team,
    leave_team,
    remove_member,
    rename_team,
    renew_team_link,
)
from evaluation.submissions.teams.models import Team
from evaluation.submissions.teams.registering import apply_for_track, decide_application
from evaluation.submissions.teams.registration import WORDS_MAX, Application, EntryRules
from evaluation.tracks.lookups import find_organized_track, find_track
from trackside.errors import InputError


@page_view
def team_detail(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Show a team to its members and the organizers; its owner can edit it."""
    track_team = find_team(request, track, team)
    path = reverse("team_join", args=[track_team.link_token]) if track_team.has_link else ""
    context = {
        "team": track_team,
        "track": track_team.track,
        "members": Membership.objects.filter(team=track_team).select_related("user").order_by("created_at"),
        "runs": track_team.runs.select_related("task__track").order_by("-received_at"),
        "is_owner": Team.objects.owned_by(request.user).contains(track_team),
        "is_member": Team.objects.of_member(request.user).contains(track_team),
        "is_organizer": organizes(request.user, track_team.track_id),
        "link": settings.SITE_URL + path if path else "",
    }
    return render(request, "evaluation/teams/team_detail.html", context | registration_of(track_team))


@form_view("team")
def team_create(request: SignedInRequest, track: str) -> HttpResponse:
    """Create a team of the person in a track."""
    team_track = find_track(request, track)
    form = TeamNameForm(request.POST or None)
    if form.is_valid():
        with error_in(form):
            team = create_team(track=team_track, name=form.cleaned_data["name"], by=request.user)
            messages.success(request, "The team is created. Upload its runs, or make a link for its members.")
            return redirect("team_detail", track, team.pk)
    return render(request, "evaluation/teams/team_create.html", {"track": team_track, "form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_join(request: HttpRequest, link: str) -> HttpResponse:
    """Make the person a member; hide the team's name if they may not join or are not signed in."""
    if not request.user.is_authenticated:
        return render(request, "evaluation/teams/team_join.html")
    try:
        with transaction.atomic():
            team = find_team_to_join(link, request.user)
            if request.method == "POST":
                join_team(token=link, by=request.user)
    except AlreadyInTeam:
        team = Team.objects.of_link(link).select_related("track").get()
        return redirect("team_detail", team.track.slug, team.pk)
    except InputError as error:
        return render(request, "evaluation/teams/team_join.html", {"error": error})
    if request.method == "POST":
        messages.success(request, f"You are in {team} now.")
        return redirect("team_detail", team.track.slug, team.pk)
    return render(request, "evaluation/teams/team_join.html", {"team": team})


@form_view("change")
def team_rename(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Rename the team."""
    own_team = find_own_team(request, track, team)
    form = TeamNameForm(request.POST or None, initial={"name": own_team.name})
    if form.is_valid():
        with error_in(form):
            rename_team(team=own_team, name=form.cleaned_data["name"], by=request.user)
            return redirect("team_detail", track, team)
    context = {"team": own_team, "track": own_team.track, "form": form}
    return render(request, "evaluation/teams/team_rename.html", context)


@post_view("change")
def team_link_renew(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Create a link for members, which replaces the current one."""
    own_team = find_own_team(request, track, team)
    with error_shown(request):
        renew_team_link(team=own_team, by=request.user)
    return redirect("team_detail", track, team)


@post_view("change")
def team_link_close(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Switch the link off."""
    own_team = find_own_team(request, track, team)
    with error_shown(request):
        close_team_link(team=own_team, by=request.user)
    return redirect("team_detail", track, team)


@post_view()
def team_leave(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Leave the team."""
    own_team = find_own_team(request, track, team)
    try:
        leave_team(team=own_team, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("team_detail", track, team)
    messages.success(request, f"You have left {own_team}.")
    return redirect("track_detail", track)


@post_view()
def member_remove(request: SignedInRequest, track: str, team: int, member: int) -> HttpResponse:
    """Remove a member from the team."""
    own_team = find_own_team(request, track, team)
    person = _find_member(own_team, member)
    with error_shown(request):
        remove_member(team=own_team, person=person, by=request.user)
        messages.success(request, f"{person} is removed from the team.")
    return redirect("team_detail", track, team)


@post_view()
def team_hand_over(request: SignedInRequest, track: str, team: int, member: int) -> HttpResponse:
    """Transfer the ownership to another member."""
    own_team = find_own_team(request, track, team)
    person = _find_member(own_team, member)
    with error_shown(request):
        hand_over_team(team=own_team, person=person, by=request.user)
        messages.success(request, f"{person} owns the team now.")
    return redirect("team_detail", track, team)


def _find_member(team: Team, member: int) -> User:
    return get_object_or_404(User.objects.filter(memberships__team=team).distinct(), pk=member)


DECISIONS = {"approve": True, "decline": False}


@form_view("change")
@atomic_post
def track_registration(request: SignedInRequest, track: str) -> HttpResponse:
    """Set whether the organizers approve teams, and list the teams with their applications."""
    own_track = find_organized_track(request, track)
    rules = EntryRules.objects.of(own_track)
    form = EntryRulesForm(request.POST if request.method == "POST" else None, instance=rules)
    if form.is_valid():
        form.save()
        messages.success(request, "Saved. Uploads are checked by these rules from now on.")
        return redirect("track_registration", track)
    teams = Team.objects.filter(track=own_track, is_baseline=False).select_related("application__applied_by")
    context = {"track": own_track, "form": form, "teams": teams, "words_max": WORDS_MAX}
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
        mailed = if_mailed("Its members get a mail.")
        messages.success(request, f"{chosen} is {decided.get_state_display()}.{mailed}")
    return redirect("track_registration", track)


@post_view("change")
def team_apply(request: SignedInRequest, track: str, team: int) -> HttpResponse:
    """Ask the organizers to approve the team; its owner only."""
    own_team = find_own_team(request, track, team)
    if not EntryRules.objects.of(own_team.track).needs_approval:
        raise Http404
    with error_shown(request):
        apply_for_track(team=own_team, words=request.POST.get("words", ""), by=request.user)
        mailed = if_mailed("You get a mail with their decision.")
        messages.success(request, f"The organizers see your application.{mailed}")
    return redirect("team_detail", track, team)


def registration_of(team: Team) -> dict[str, Any]:
    """Return the context of a team's registration for its page; empty without requirements."""
    rules = EntryRules.objects.of(team.track)
    if team.is_baseline or not rules.needs_approval:
        return {}
    application = Application.objects.filter(team=team).first()
    return {"rules": rules, "application": application, "words_max": WORDS_MAX}
