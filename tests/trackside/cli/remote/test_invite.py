"""`trackside invite`: one mail for each address, over a faulty connection too."""

import json

import pytest

from evaluation.models import Invitation, Mail, Scope, Track
from tests.factories import make_assessor, make_organizer, make_team, make_track
from tests.trackside.cli.remote.breaking_line import BreakingLine, Fault
from tests.trackside.cli.remote.conftest import SignIn
from trackside.cli.main import main


@pytest.fixture
def track(transactional_db: None) -> Track:
    return make_track(slug="atomic-2026")


@pytest.fixture(autouse=True)
def _signed_in(track: Track, sign_in: SignIn) -> None:
    sign_in(make_organizer(track), Scope.ORGANIZE)


def _asked(role: str, *addresses: str, team: str = "") -> list[str]:
    return ["invite", "atomic-2026", f"role={role}", f"team={team}", *(f"emails={at}" for at in addresses)]


def test_addresses_get_one_mail_each_although_the_connection_breaks(
    line: BreakingLine, capsys: pytest.CaptureFixture[str]
) -> None:
    """First the request is cut and invites nobody, then its answer is lost."""
    line.faults += [Fault.BREAKS_OFF, Fault.ANSWER_IS_LOST]
    people = ["ada@example.org", "grace@example.org"]
    assert main(_asked("assessor", *people)) == 0
    assert line.answers == ["400", "201", "201"]
    assert sorted(Mail.objects.values_list("to", flat=True)) == people
    sent = json.loads(capsys.readouterr().out)
    assert [(row["email"], row["role"]) for row in sent] == [(address, "assessor") for address in people]


@pytest.mark.parametrize("role", ["team_owner", "team_member"])
def test_people_are_invited_to_a_team(track: Track, role: str) -> None:
    team = make_team(track, name="Grüner Kestrel")
    assert main(_asked(role, "ada@example.org", team="Grüner Kestrel")) == 0
    assert Invitation.objects.values_list("role", "team").get() == (role, team.pk)


def test_one_bad_address_invites_nobody_and_is_named(
    track: Track, capsys: pytest.CaptureFixture[str]
) -> None:
    make_assessor(track, email="grace@example.org")
    assert main(_asked("assessor", "ada@example.org", "nobody")) == 2
    assert "No e-mail address: nobody. Write them as name@example.org." in capsys.readouterr().err
    assert main(_asked("assessor", "ada@example.org", "grace@example.org")) == 2
    assert "Nobody was invited. grace@example.org: " in capsys.readouterr().err
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["atomic-2026", "role=team_owner", "emails=a@example.org"], "name the team of a team_owner."),
        (
            ["atomic-2026", "role=organizer", "team=K", "emails=a@example.org"],
            "an organizer belongs to no team. Leave it out.",
        ),
        (["atomic-2026/suggestion", "role=assessor", "emails=a@example.org"], "name TRACK, then NAME=VALUE"),
        (
            ["other", "role=assessor", "emails=a@example.org"],
            "It does not exist, or this token may not see it.",
        ),
        (["atomic-2026", "role=team_member", "team=K", "emails=a@example.org"], "has no team K."),
    ],
)
def test_what_does_not_fit_is_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["invite", *words]) == 2
    assert told in capsys.readouterr().err
