"""`trackside invite`: one mail for each address, over a faulty connection too."""

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


def test_addresses_get_one_mail_each_although_the_connection_breaks(
    line: BreakingLine, capsys: pytest.CaptureFixture[str]
) -> None:
    """First the request is cut and invites nobody, then its answer is lost."""
    line.faults += [Fault.BREAKS_OFF, Fault.ANSWER_IS_LOST]
    people = ["ada@example.org", "grace@example.org"]
    assert main(["invite", "assessor", *people, "--track", "atomic-2026"]) == 0
    assert line.answers == ["400", "201", "201"]
    assert sorted(Mail.objects.values_list("to", flat=True)) == people
    day = f"{Invitation.objects.first().expires_at:%Y-%m-%d}"  # type: ignore[union-attr]
    assert capsys.readouterr().out.splitlines() == [
        f"Invited {email} as assessor; the link works until {day} (UTC)." for email in people
    ]


@pytest.mark.parametrize(("role", "stored"), [("owner", "team_owner"), ("member", "team_member")])
def test_people_are_invited_to_a_team(
    track: Track, capsys: pytest.CaptureFixture[str], role: str, stored: str
) -> None:
    team = make_team(track, name="Grüner Kestrel")
    asked = ["invite", role, "ada@example.org", "--track", "atomic-2026"]
    assert main([*asked, "--team", "Grüner Kestrel"]) == 0
    assert capsys.readouterr().out.startswith(f"Invited ada@example.org as {role} of Grüner Kestrel; ")
    assert Invitation.objects.values_list("role", "team").get() == (stored, team.pk)


def test_one_bad_address_invites_nobody_and_is_named(
    track: Track, capsys: pytest.CaptureFixture[str]
) -> None:
    make_assessor(track, email="grace@example.org")
    asked = ["invite", "assessor", "ada@example.org"]
    assert main([*asked, "nobody", "--track", "atomic-2026"]) == 2
    assert "No e-mail address: nobody. Write them as name@example.org." in capsys.readouterr().err
    assert main([*asked, "grace@example.org", "--track", "atomic-2026"]) == 2
    assert "Nobody was invited. grace@example.org: " in capsys.readouterr().err
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["owner", "a@example.org", "--track", "atomic-2026"], "name the team: --team NAME."),
        (
            ["organizer", "a@example.org", "--track", "atomic-2026", "--team", "K"],
            "--team is for owner and member",
        ),
        (
            ["assessor", "a@example.org", "--track", "atomic-2026/suggestion"],
            "name the track as in atomic-2026",
        ),
        (
            ["assessor", "a@example.org", "--track", "other"],
            "It does not exist, or this token may not see it.",
        ),
        (["member", "a@example.org", "--track", "atomic-2026", "--team", "K"], "has no team K."),
    ],
)
def test_what_does_not_fit_is_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["invite", *words]) == 2
    assert told in capsys.readouterr().err
