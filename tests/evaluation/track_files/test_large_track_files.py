"""Track files that name very much: applied with few queries, or refused before any."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessment.models import GoldItem
from evaluation.models import Task, Team, Topic
from evaluation.track_files.track_file import apply_track, export_track
from tests.factories import make_organizer, make_task, make_team

pytestmark = pytest.mark.django_db

MANY = 200


@pytest.fixture
def task() -> Task:
    task = make_task(document_count=1)
    Topic.objects.bulk_create(Topic(task=task, number=f"T{n}", fields=[["title", "t"]]) for n in range(MANY))
    return task


def head_of(task: Task) -> str:
    """The track's file without its empty list of teams."""
    return export_track(task.track).replace("teams = []\n", "")


def teams(*, is_baseline: bool = False) -> str:
    word = str(is_baseline).lower()
    return "".join(f'[[teams]]\nname = "team {n}"\nis_baseline = {word}\n' for n in range(MANY))


def gold(grade: int) -> str:
    pair = '[[tasks.gold]]\ntopic = "T{n}"\ndocno = "D1"\ngrade = {grade}\n'
    return "".join(pair.format(n=n, grade=grade) for n in range(MANY))


def test_many_teams_and_gold_pairs_take_few_queries(task: Task) -> None:
    organizer, head = make_organizer(task.track), head_of(task)
    applied = {}
    for grade in (1, 2):
        text = head.replace("[[tasks]]", f"{teams(is_baseline=grade == 2)}[[tasks]]") + gold(grade)
        with CaptureQueriesContext(connection) as queries:
            applied[grade] = apply_track(text=text, by=organizer)
        assert applied[grade].faults == []
        assert len(queries) < 100
        assert Team.objects.filter(track=task.track, is_baseline=grade == 2).count() == MANY
        assert GoldItem.objects.filter(task=task, grade=grade).count() == MANY
    assert [len(each.changes) for each in applied.values()] == [MANY + 1, MANY + 1]


def test_each_team_of_a_file_has_a_name_of_its_own(task: Task) -> None:
    text = head_of(task).replace(
        "[[tasks]]",
        '[[teams]]\nname = "kestrel"\n[[teams]]\nname = "Nordlys"\n[[teams]]\nname = "NORDLYS"\n'
        '[[teams]]\nname = "a\\u200b"\n[[teams]]\nname = "Nordlys"\nis_baseline = true\n[[tasks]]',
    )
    make_team(task.track, name="Kestrel")
    faults = apply_track(text=text, by=make_organizer(task.track)).faults
    assert [(each.where, each.what[:9]) for each in faults] == [
        ("teams 5 name", "“Nordlys”"),
        ("teams 1", "This name"),
        ("teams 3", "This name"),
        ("teams 4", "Character"),
    ]
    assert Team.objects.count() == 1


def test_file_of_very_many_families_and_questions_or_of_a_pair_twice_is_refused(task: Task) -> None:
    pair = '\n[[tasks.gold]]\ntopic = "T1"\ndocno = "D1"\ngrade = 1\n'
    (fault,) = apply_track(text=export_track(task.track) + pair * 2, by=make_organizer(task.track)).faults
    assert "twice" in fault.what
    assert not GoldItem.objects.exists()
    names = ", ".join(f'"f{place}"' for place in range(60))
    asked = "".join(f'\n[[tasks.questions]]\nname = "q{place}"\ntext = "t"\n' for place in range(60))
    text = export_track(task.track).replace("[[tasks]]", f"[[tasks]]\nfamilies = [{names}]")
    (fault,) = apply_track(text=text + asked, by=make_organizer(task.track)).faults
    assert fault.what == (
        "The tasks of this file have 120 families, questions and late exceptions; at most 100 are allowed. "
        "Split it."
    )
