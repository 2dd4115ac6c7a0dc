"""What became of an assessor's grades: shown once it is opened, and then no pool any more."""

import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import assign_topics, end_assignment, open_queue
from assessment.assigning.lookups import find_assessors
from assessment.feedback.actions import WORDS, open_feedback, write_note
from assessment.judging.leases import lease_items
from assessment.models import Assignment, AssignmentKind, CannotJudge, FeedbackNote
from assessment.quality.exclusions import exclude_judgments
from evaluation.models import Phase, Task, User
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool
from tests.factories import dates_of, make_assessor, make_organizer, make_pool, make_task
from tests.refusals import refused
from trackside.errors import InputError

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> tuple[Assignment, Assignment]:
    """T1 by two, released: D1 is 0 and 2, settled 2; D2 none and 1, settled 0; D3 1 and 1, not settled."""
    pool = make_judging_pool()
    task, organizer = pool.task, pool.created_by
    first = make_assignment(pool, assessor=make_assessor(task.track, name="Ada First"))
    second = make_assignment(
        pool, kind=AssignmentKind.SECOND, assessor=make_assessor(task.track, name="Bo Second")
    )
    for docno, own, other in (("D1", 0, 2), ("D2", CannotJudge.IMAGE, 1), ("D3", 1, 1)):
        judge(first, docno, own)
        judge(second, docno, other)
    adjudicate(task, "D1", 2, by=organizer, comment="sloppy work")
    adjudicate(task, "D2", 0, by=organizer)
    write_note(task=task, topic="T1", docno="D1", words="The lock itself is shown.")
    Task.objects.update(**dates_of(Phase.RELEASED))
    return first, second


def _own(assignment: Assignment) -> str:
    task = assignment.pool.task
    return reverse("own_feedback", args=[task.track.slug, task.slug])


def _text(person: User, url: str) -> str:
    client = Client()
    client.force_login(person)
    return " ".join(client.get(url).content.decode().split())


def _open(task: Task) -> None:
    open_feedback(task=task, words=WORDS, by=make_organizer(task.track))


def test_nothing_is_shown_before_it_is_opened(pair: tuple[Assignment, Assignment], client: Client) -> None:
    first, _ = pair
    client.force_login(first.assessor)
    assert client.get(_own(first)).status_code == 404
    assert "became of my grades" not in _text(first.assessor, reverse("judging_list"))


def test_each_person_sees_the_own_grades_that_were_settled_otherwise(
    pair: tuple[Assignment, Assignment],
) -> None:
    first, second = pair
    _open(first.pool.task)
    page = _text(first.assessor, _own(first))
    assert "Items that you judged: 3. Settled by an adjudicator: 2." in page
    assert "Settled otherwise than you graded: 2." in page
    assert "You graded 0, settled as <b>2</b>" in page
    assert "settled as <b>0</b>" in page
    assert "The lock itself is shown." in page
    for hidden in ("sloppy work", "Bo Second", str(first.pool.created_by)):
        assert hidden not in page
    others = _text(second.assessor, _own(second))
    assert "You graded 1, settled as <b>0</b>" in others
    assert "Settled otherwise than you graded: 1." in others
    assert "The lock itself is shown." not in others  # it is on a grade that was settled as this person's
    assert "became of my grades" in _text(first.assessor, reverse("judging_list"))


def test_others_see_nothing_of_it(pair: tuple[Assignment, Assignment], client: Client) -> None:
    first, _ = pair
    task = first.pool.task
    _open(task)
    for person in (make_assessor(task.track), make_organizer(task.track)):
        client.force_login(person)
        assert client.get(_own(first)).status_code == 404
    Task.objects.update(**dates_of(Phase.JUDGING))  # the release is taken back
    client.force_login(first.assessor)
    assert client.get(_own(first)).status_code == 404


def test_person_whose_judgments_do_not_count_sees_nothing(
    pair: tuple[Assignment, Assignment], client: Client
) -> None:
    first, _ = pair
    task = first.pool.task
    exclude_judgments(task=task, assessor=first.assessor, reason="random", by=make_organizer(task.track))
    _open(task)
    client.force_login(first.assessor)
    assert client.get(_own(first)).status_code == 404


def test_opening_needs_the_words_the_release_and_free_people(pair: tuple[Assignment, Assignment]) -> None:
    first, _ = pair
    task, organizer = first.pool.task, first.pool.created_by
    with refused("not-confirmed"):
        open_feedback(task=task, words="yes", by=organizer)
    other = make_task(task.track, phase=Phase.JUDGING, topic_count=1, document_count=1)
    busy = make_assignment(make_pool(other, pairs=[("T1", "D1")]), assessor=first.assessor)
    with refused("still-judging", match=f"Ada First in {other.name}"):
        open_feedback(task=task, words=WORDS, by=organizer)
    with refused("not-released"):
        open_feedback(task=other, words=WORDS, by=organizer)
    end_assignment(assignment=busy, by=organizer)
    open_feedback(task=task, words=f"  {WORDS.upper()} ", by=organizer)
    with refused("feedback-open"):
        open_feedback(task=task, words=WORDS, by=organizer)


def test_no_further_pool_of_the_track_goes_to_these_people(pair: tuple[Assignment, Assignment]) -> None:
    first, second = pair
    track, organizer = first.pool.task.track, first.pool.created_by
    other = make_task(track, phase=Phase.JUDGING, topic_count=1, document_count=1)
    pool, queue = (make_pool(other, pairs=[("T1", "D1")]) for _ in range(2))
    fresh = make_assessor(track)
    assert {*find_assessors(pool=pool)} == {first.assessor, second.assessor, fresh}
    open_queue(pool=queue, percent=0, seed=1)
    _open(first.pool.task)
    assert [*find_assessors(pool=pool)] == [fresh]
    [made] = assign_topics(pool=pool, second_percent=0, seed=1, by=organizer)
    assert made.assessor == fresh
    with pytest.raises(InputError):
        lease_items(pool=queue, by=first.assessor)


def test_organizer_writes_notes_and_opens_it_on_the_page(
    pair: tuple[Assignment, Assignment], client: Client
) -> None:
    first, _ = pair
    task = first.pool.task
    client.force_login(make_organizer(task.track))
    url = reverse("feedback", args=[task.track.slug, task.slug])
    page = client.get(url).content.decode()
    assert "Graded 0, 2," in page
    note = {"act": "note", "topic": "T1", "docno": "D2", "words": "The image is dark."}
    assert "is saved" in client.post(url, note, follow=True).content.decode()
    assert FeedbackNote.objects.get(docno="D2").words == "The image is dark."
    client.post(url, note | {"words": ""})
    assert not FeedbackNote.objects.filter(docno="D2").exists()
    unsettled = client.post(url, note | {"docno": "D3"}, follow=True).content.decode()
    assert "No adjudicator has settled D3" in unsettled
    assert "Write “" in client.post(url, {"act": "open", "words": "no"}, follow=True).content.decode()
    client.post(url, {"act": "open", "words": WORDS})
    assert "Open since" in client.get(url).content.decode()
    assert "You graded 0" in _text(first.assessor, _own(first))
