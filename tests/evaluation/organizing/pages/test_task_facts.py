"""What front pages offer of a task to a reader, and which task of a track they show first."""

import pytest
from django.contrib.auth.models import AnonymousUser

from evaluation.models import Phase, Report, Task, TopicState, User
from evaluation.organizing.pages.task_facts import find_facts, front_of
from evaluation.results.values.actions import score_runs
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
    make_track,
)

pytestmark = pytest.mark.django_db


def offers(task: Task, reader: User | AnonymousUser) -> tuple[bool, ...]:
    """Whether the reader finds the leaders, the topics, the report and the collection on front pages."""
    facts = find_facts([task], reader)[task.pk]
    return facts.leaders is not None, facts.has_topics, facts.has_report, facts.has_collection


def test_front_pages_offer_topics_to_members_and_results_from_the_release() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2)
    make_topic(task, state=TopicState.DRAFT)
    make_run(task)
    reference = make_qrels(task)
    score_runs(task=task)
    Report.objects.create(
        task=task, reference=reference, inputs_sha256="0", facts={}, sections=[], code_version="1"
    )
    member, stranger = make_team_member(make_team(task.track)), AnonymousUser()
    organizer, assessor = make_organizer(task.track), make_assessor(task.track)
    assert find_facts([task], organizer)[task.pk].topic_count == 2
    assert offers(task, stranger) == (False, False, False, False)
    for reader in (organizer, member, assessor):
        assert offers(task, reader) == (False, True, False, False)
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    for other in (organizer, member, stranger):
        assert offers(task, other) == (True, True, True, True)
    assert offers(task, assessor) == (False, True, False, False)
    bare = make_task(phase=Phase.RELEASED)
    assert offers(bare, stranger) == (False, False, False, True)
    assert find_facts([bare], stranger)[bare.pk].topic_count == 0


def test_task_in_the_latest_phase_comes_first_and_a_practice_task_last() -> None:
    track = make_track()
    practice = make_task(track, phase=Phase.OPEN, is_practice=True)
    draft, opened, judged = (
        make_task(track, phase=phase) for phase in (Phase.DRAFT, Phase.OPEN, Phase.JUDGING)
    )
    assert front_of([practice, draft, opened, judged]) == judged
    assert front_of([practice, draft, opened]) == opened
    assert front_of([practice, draft]) == draft
    assert front_of([practice]) == practice
    assert front_of([]) is None
