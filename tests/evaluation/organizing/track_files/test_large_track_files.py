"""Track files that name very much: created with few queries, or refused before any."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Team, Track
from evaluation.organizing.track_files.track_file import create_track
from tests.factories import make_staff

pytestmark = pytest.mark.django_db

MANY = 200
HEAD = '[track]\nslug = "a"\nname = "A"\nyear = 2027\n'
TASK = '[[tasks]]\nslug = "t"\nname = "T"\nkind = "text-to-image"\ncollection = "C"\n'


def test_many_teams_take_few_queries() -> None:
    staff = make_staff()
    teams = "".join(f'[[teams]]\nname = "team {n}"\n' for n in range(MANY))
    with CaptureQueriesContext(connection) as queries:
        assert create_track(text=HEAD + teams + TASK, by=staff).faults == []
    assert len(queries) < 100
    assert Team.objects.count() == MANY


def test_each_team_of_a_file_has_a_name_of_its_own() -> None:
    teams = (
        '[[teams]]\nname = "Kestrel"\n[[teams]]\nname = "Nordlys"\n[[teams]]\nname = "NORDLYS"\n'
        '[[teams]]\nname = "a\\u200b"\n[[teams]]\nname = "Nordlys"\nis_baseline = true\n'
    )
    faults = create_track(text=HEAD + teams + TASK, by=make_staff()).faults
    assert [(fault.where, fault.what[:9]) for fault in faults] == [
        ("teams 5 name", "“Nordlys”"),
        ("teams 3", "This name"),
        ("teams 4", "Character"),
    ]
    assert not Team.objects.exists()


def test_file_of_very_many_families_and_questions_is_refused() -> None:
    names = ", ".join(f'"f{place}"' for place in range(60))
    asked = "".join(f'\n[[tasks.questions]]\nname = "q{place}"\ntext = "t"\n' for place in range(60))
    (fault,) = create_track(text=f"{HEAD}{TASK}families = [{names}]\n{asked}", by=make_staff()).faults
    assert fault.what == (
        "The tasks of this file have 120 families and questions; at most 100 are allowed. Split it."
    )
    assert not Track.objects.exists()
