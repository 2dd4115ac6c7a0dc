"""Add teams to a track for its organizers, one or many."""

from collections.abc import Collection, Mapping

from django.db import transaction

from evaluation.teams.membership import check_name_is_free
from evaluation.teams.models import NAME_NOT_FREE, Team
from evaluation.tracks.models import Track
from trackside.errors import InputError
from trackside.text.names import check_visible, folded


@transaction.atomic
def add_team(*, track: Track, name: str, is_baseline: bool) -> Team:
    """Create a team without people, for invitations. Raises team-name-not-free, hidden-character."""
    check_name_is_free(track, name)
    return Team.objects.create(track=track, name=name, is_baseline=is_baseline)


@transaction.atomic
def add_teams(*, track: Track, teams: Mapping[int, tuple[str, bool]]) -> tuple[list[str], dict[int, str]]:
    """Create teams of these (name, is_baseline), or change those that the track has, in few queries.

    Returns a line for each new or changed team, and the problem of each team that cannot be made, by key.
    """
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    known = {team.name: team for team in Team.objects.filter(track=track)}
    names = {folded(name) for name in known}
    new: list[Team] = []
    changed: dict[str, Team] = {}
    lines: list[str] = []
    problems: dict[int, str] = {}
    for key, (name, is_baseline) in teams.items():
        if team := known.get(name):
            if team.is_baseline != is_baseline:
                team.is_baseline = is_baseline
                changed[name] = team
                lines.append(f"team {name}: changed")
        elif problem := _name_problem(name, names):
            problems[key] = problem
        else:
            known[name] = Team(track=track, name=name, is_baseline=is_baseline)
            new.append(known[name])
            names.add(folded(name))
            lines.append(f"team {name}: new")
    Team.objects.bulk_update([team for team in changed.values() if team.pk], ["is_baseline"])
    Team.objects.bulk_create(new)
    return lines, problems


def _name_problem(name: str, names: Collection[str]) -> str:
    """Return why a team cannot have the name; empty if it can. ``names`` are the folded names in use."""
    try:
        check_visible(name)
    except InputError as error:
        return str(error)
    return NAME_NOT_FREE if folded(name) in names else ""
