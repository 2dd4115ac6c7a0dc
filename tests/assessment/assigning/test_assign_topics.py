from collections import Counter

import pytest

from assessment.assigning.actions import assign_topics, end_assignment, reassign_topic
from assessment.models import Assignment, AssignmentKind
from evaluation.models import Phase, Pool, PoolKind, Task
from tests.factories import (
    make_assessor,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_team_member,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def make_pool_of(task: Task, sizes: dict[str, int]) -> Pool:
    return make_pool(
        task, pairs=[(topic, f"D{number}") for topic, size in sizes.items() for number in range(size)]
    )


def assign(pool: Pool, second_percent: int = 0, seed: int = 3) -> list[Assignment]:
    return assign_topics(pool=pool, second_percent=second_percent, seed=seed, by=pool.created_by)


def test_topics_are_given_once_each_and_evenly() -> None:
    task = make_task()
    people = [make_assessor(task.track) for _ in range(2)]
    made = assign(make_pool_of(task, {"a": 9, "b": 7, "c": 6, "d": 5, "e": 2}))
    assert [each.topic for each in made] == ["a", "b", "c", "d", "e"]
    assert not any(each.is_second for each in made)
    # Largest first: 9 and 7 to one each, 6 joins 7 (13), 5 joins 9 (14), 2 joins 13 (15).
    shares = ["".join(each.topic for each in made if each.assessor == person) for person in people]
    assert sorted(shares) == ["ad", "bce"]


def test_share_of_topics_goes_to_a_second_assessor_too() -> None:
    task = make_task()
    make_assessor(task.track)
    make_assessor(task.track)
    pool = make_pool_of(task, {f"t{number}": 3 for number in range(8)})
    assign(pool, second_percent=25)
    seconds = Assignment.objects.filter(kind=AssignmentKind.SECOND)
    assert len(seconds) == 2  # a quarter of eight
    for second in seconds:
        owner = Assignment.objects.get(topic=second.topic, kind=AssignmentKind.OWNER)
        assert owner.assessor != second.assessor


def test_overlap_may_be_of_three_different_people() -> None:
    task = make_task()
    for _ in range(4):
        make_assessor(task.track)
    pool = make_pool_of(task, {f"t{number}": 3 for number in range(8)})
    assign_topics(pool=pool, second_percent=50, assessor_count=3, seed=3, by=pool.created_by)
    people = Counter(Assignment.objects.values_list("topic", "assessor"))
    assert sorted(Counter(topic for topic, _ in people).values()) == [1, 1, 1, 1, 3, 3, 3, 3]


def test_assessor_never_judges_a_pool_with_a_run_of_their_own_team() -> None:
    task = make_task()
    team = make_team(task.track)
    both, free = make_assessor(task.track), make_assessor(task.track)
    both.memberships.create(track=task.track, role="team_member", team=team)
    pool = make_pool(task, pairs=[("a", "D1"), ("b", "D1")], runs=[make_run(task, team)])
    assert {each.assessor for each in assign(pool)} == {free}
    given = Assignment.objects.create(
        pool=pool, topic="a", assessor=both, kind=AssignmentKind.SECOND, assigned_by=free
    )
    assert not Assignment.objects.held_by(both).exists()  # and not by an old assignment either
    assert Assignment.objects.visible_to(pool.created_by).contains(given)


def test_assignment_is_not_shown_before_the_task_opens() -> None:
    task = make_task(phase=Phase.DRAFT)
    person = make_assessor(task.track)
    pool = make_pool_of(task, {"a": 1})
    Assignment.objects.create(pool=pool, topic="a", assessor=person, assigned_by=pool.created_by)
    assert not Assignment.objects.given_to(person).exists()


def test_equal_seeds_assign_equally() -> None:
    task = make_task()
    for _ in range(3):
        make_assessor(task.track)
    pool = make_pool_of(task, {f"t{number}": 4 for number in range(9)})
    shares = []
    for _ in range(2):
        made = assign(pool, second_percent=50)
        shares.append([(each.topic, each.assessor_id, each.kind) for each in made])
        Assignment.objects.all().delete()
    assert shares[0] == shares[1]


def test_topic_stays_with_its_owner_in_a_later_pool() -> None:
    task = make_task()
    for _ in range(4):
        make_assessor(task.track)
    sizes = {f"t{number}": 2 for number in range(8)}
    owners = {each.topic: each.assessor_id for each in assign(make_pool_of(task, sizes))}
    later = assign(make_pool_of(task, sizes), seed=99)
    assert {each.topic: each.assessor_id for each in later} == owners


@pytest.mark.parametrize("change", ["reassigned", "closed"])
def test_topic_goes_to_its_latest_owner_in_an_earlier_pool(change: str) -> None:
    """Old grades count, so the person who made the latest ones makes the others, too."""
    task = make_task()
    people = [make_assessor(task.track) for _ in range(4)]
    sizes = {f"t{number}": 2 for number in range(6)}
    first = assign(make_pool_of(task, sizes))[0]
    owner = first.assessor
    if change == "reassigned":
        owner = next(each for each in people if each != owner)
        reassign_topic(assignment=first, to=owner, by=first.assigned_by)
    else:
        end_assignment(assignment=first, by=first.assigned_by)
    for seed in range(3):
        later = {each.topic: each.assessor for each in assign(make_pool_of(task, sizes), seed=seed)}
        assert later[first.topic] == owner


def test_closed_topic_of_an_earlier_pool_goes_to_its_owner_whatever_else_the_person_has() -> None:
    task = make_task()
    owner, _ = make_assessor(task.track), make_assessor(task.track)
    earlier, later = make_pool_of(task, {"a": 2}), make_pool_of(task, {"a": 2, "b": 9})
    closed = Assignment.objects.create(
        pool=earlier, topic="a", assessor=owner, assigned_by=earlier.created_by
    )
    end_assignment(assignment=closed, by=earlier.created_by)
    Assignment.objects.create(pool=later, topic="b", assessor=owner, assigned_by=later.created_by)
    assert [(each.topic, each.assessor) for each in assign(later)] == [("a", owner)]


def test_former_owner_who_is_the_second_assessor_does_not_own_the_topic_again() -> None:
    task = make_task()
    former, other = make_assessor(task.track), make_assessor(task.track)
    earlier, later = make_pool_of(task, {"a": 2}), make_pool_of(task, {"a": 2})
    for pool, kind in ((earlier, AssignmentKind.OWNER), (later, AssignmentKind.SECOND)):
        Assignment.objects.create(
            pool=pool, topic="a", assessor=former, kind=kind, assigned_by=pool.created_by
        )
    assert [(each.topic, each.assessor) for each in assign(later)] == [("a", other)]


def test_second_assessors_are_those_with_the_fewest_items() -> None:
    task = make_task()
    people = {make_assessor(task.track).pk for _ in range(3)}
    pool = make_pool_of(task, {"a": 9, "b": 1})
    for seed in range(6):
        made = assign(pool, second_percent=100, seed=seed)
        owners = {each.topic: each.assessor_id for each in made if each.is_owner}
        seconds = {each.topic: each.assessor_id for each in made if each.is_second}
        assert {seconds["a"]} == people - set(owners.values())
        Assignment.objects.all().delete()


def test_topics_without_an_owner_are_filled_up() -> None:
    task = make_task()
    person = make_assessor(task.track)
    pool = make_pool_of(task, {"a": 5, "b": 1})
    Assignment.objects.create(pool=pool, topic="a", assessor=person, assigned_by=pool.created_by)
    other = make_assessor(task.track)
    assert [(each.topic, each.assessor) for each in assign(pool)] == [("b", other)]


def test_pools_assigned_already_and_overlaps_or_tracks_with_too_few_assessors_are_refused() -> None:
    task = make_task()
    make_organizer(task.track)
    make_team_member(make_team(task.track))
    make_assessor(task.track, is_active=False)
    pool = make_pool_of(task, {"a": 1})
    with refused("no-assessors"):
        assign(pool)
    make_assessor(task.track)
    for percent, reason in (
        (10, "too-few-assessors"),
        (-1, "overlap-out-of-range"),
        (101, "overlap-out-of-range"),
    ):
        with refused(reason):
            assign(pool, second_percent=percent)
    assign(pool)
    with refused("topics-already-assigned"):
        assign(pool)


def test_closed_topic_goes_to_somebody_who_has_nothing_else_of_it() -> None:
    task = make_task()
    people = [make_assessor(task.track) for _ in range(3)]
    pool = make_pool_of(task, {"a": 3})
    made = assign(pool, second_percent=100)
    owner = next(each for each in made if each.is_owner)
    end_assignment(assignment=owner, by=pool.created_by)
    [again] = assign(pool, second_percent=100)  # the second assessor stays
    assert again.is_owner
    assert again.assessor not in {each.assessor for each in made if each.is_second}
    for person in people:
        if person != owner.assessor:
            person.memberships.all().delete()
    end_assignment(assignment=again, by=pool.created_by)
    [last] = assign(pool)
    assert last.assessor == owner.assessor


def test_closed_topic_is_not_given_to_its_second_assessor_as_well() -> None:
    task = make_task()
    for _ in range(2):
        make_assessor(task.track)
    pool = make_pool_of(task, {"a": 3})
    owner = next(each for each in assign(pool, second_percent=100) if each.is_owner)
    end_assignment(assignment=owner, by=pool.created_by)
    owner.assessor.memberships.all().delete()
    with refused("too-few-assessors", match="Topic a is assigned to all assessors"):
        assign(pool)


def test_assessor_does_not_judge_flagged_pairs_of_their_own_teams_runs() -> None:
    task = make_task()
    team = make_team(task.track)
    member, uploader = make_assessor(task.track), make_assessor(task.track)
    member.memberships.create(track=task.track, role="team_member", team=team)
    pool = make_pool_of(task, {"a": 1})
    pool.pool_runs.create(run=make_run(task, team, received_by=uploader), depth=1)
    check = make_pool(task, name="check", kind=PoolKind.CHECK, pairs=[("a", "D0")])
    with refused("no-assessors"):
        assign(check)
    other = make_assessor(task.track)
    assert [each.assessor for each in assign(check)] == [other]
    assert not Assignment.objects.held_by(member).exists()
