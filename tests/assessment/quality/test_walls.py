"""What the page on quality says of walls: the interval, and nothing that the data do not say."""

import numpy as np
import pytest
from django.test import Client

from assessment.core.wall_losses import WallGrades
from assessment.models import AssignedItem, JudgingPlan, Purpose, Surface
from assessment.quality import walls
from assessment.quality.figures import quality_of
from assessment.quality.walls import find_walls
from assessment.wall.control import WallCosts
from tests.assessment.factories import address, judge, make_assignment
from tests.assessment.wall.walled import make_walled_pool
from tests.factories import make_assessor
from trackside.arrays import Floats

pytestmark = pytest.mark.django_db

NONE = np.zeros((0, 2, 3, 3))
AGREEING = np.tile(2.0 * np.eye(3) + 1, (60, 2, 1, 1))
RANDOM = np.ones((60, 2, 3, 3))


def costs(*, top_on_wall: float, matrices: Floats = NONE, count: int = 60) -> WallCosts:
    """Equal walls with three highest grades of ten singly, by weight."""
    one = np.array([[10 - top_on_wall, 0, top_on_wall], [7.0, 0, 3]])
    grades = WallGrades(
        np.repeat(one[None], 60, axis=0), matrices, count, count if len(matrices) else 0, (0, 1, 2)
    )
    return WallCosts(grades, (2.0, 6.0))


@pytest.mark.parametrize(
    ("measured", "is_off", "said", "not_said"),
    [
        (costs(top_on_wall=3, count=49), False, ["Cannot tell yet (49 singles)."], ["lost on walls", "lose"]),
        (
            costs(top_on_wall=2.9),
            False,
            ["At most 5 % of the highest grades are lost on walls.", "Random grades would lose no more"],
            ["Cannot tell", "no better than random"],
        ),
        (
            costs(top_on_wall=2.9, matrices=RANDOM),
            False,
            ["this says nothing of walls"],
            ["and of kappa with others' grades, are lost", "Cannot tell"],
        ),
        (
            costs(top_on_wall=2.9, matrices=AGREEING),
            False,
            ["At most 5 % of the highest grades, and of kappa with others' grades, are lost on walls."],
            ["Random grades", "Cannot tell"],
        ),
        (
            costs(top_on_wall=2),
            False,
            ["than the plan's 5 %.", "They end for this person"],
            ["At most", "They are off"],
        ),
        (costs(top_on_wall=2), True, ["They are off for this person."], ["They end for"]),
    ],
)
def test_finding_is_said_once_it_is_known(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    measured: WallCosts,
    is_off: bool,
    said: list[str],
    not_said: list[str],
) -> None:
    assignment = make_assignment(make_walled_pool({"T1": 3}))
    judge(assignment, "D1", 0, wall=1, cell=1)
    JudgingPlan.objects.update(single_people=[assignment.assessor_id] if is_off else [])
    monkeypatch.setattr(walls, "find_wall_costs", lambda _task: {assignment.assessor_id: measured})
    client.force_login(assignment.pool.created_by)
    page = " ".join(client.get(address("judging_quality", assignment)).content.decode().split())
    section = page.split('aria-labelledby="walls"')[1].split("</section>")[0].replace("&#x27;", "'")
    table = section.split("</caption>")[1]
    assert [words for words in said if words not in table] == []
    assert [words for words in not_said if words in table] == []
    assert address("setup_plan", assignment) in section


def test_tasks_with_walls_say_that_nothing_is_known_and_others_nothing(client: Client) -> None:
    assignment = make_assignment(make_walled_pool({"T1": 3}))
    client.force_login(assignment.pool.created_by)
    assert (
        "Cannot tell yet (0 singles)." in client.get(address("judging_quality", assignment)).content.decode()
    )
    JudgingPlan.objects.update(surface=Surface.SINGLE)
    assert "Cannot tell yet" not in client.get(address("judging_quality", assignment)).content.decode()


def test_rows_are_everybody_and_people_by_name_with_repeats_of_singles() -> None:
    """A repeat of an item that was first on a wall, as earlier releases had them, is not one of singles."""
    pool = make_walled_pool({"T1": 20, "T2": 20})
    ben, ann = (make_assessor(pool.task.track, name=name) for name in ("Ben", "Ann"))
    for assessor, topic in ((ben, "T1"), (ann, "T2")):
        assignment = make_assignment(pool, topic=topic, assessor=assessor)
        alone = assignment.items.filter(is_single=True).order_by("place")
        judge(assignment, on_wall := assignment.items.filter(is_single=False)[0].docno, 0, wall=1, cell=1)
        for item, again in zip(alone, (1, 2), strict=True):
            judge(assignment, item.docno, 1)
            AssignedItem.objects.create(
                assignment=assignment, place=50 + item.place, docno=item.docno, purpose=Purpose.REPEAT
            )
            judge(assignment, item.docno, again, purpose=Purpose.REPEAT)
        AssignedItem.objects.create(assignment=assignment, place=90, docno=on_wall, purpose=Purpose.REPEAT)
        judge(assignment, on_wall, 2, purpose=Purpose.REPEAT)
    rows = find_walls(pool.task, {ben.pk: "Ben", ann.pk: "Ann"})
    assert [row.name for row in rows] == ["Everybody", "Ann", "Ben"]
    assert [(row.repeats.count, row.repeats.of) for row in rows] == [(0, 0), (1, 2), (1, 2)]
    assert [row.costs.grades.single_count for row in quality_of(pool.task).walls] == [4, 2, 2]
