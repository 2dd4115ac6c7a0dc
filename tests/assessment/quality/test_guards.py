"""The guards of a release name bad work and what is open."""

import html
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, AssignmentKind
from assessment.quality.guards import RELEASE_GUARDS
from assessment.quality.trust import Distrust
from evaluation.models import Phase, Task
from evaluation.tracks.panels import open_actions
from tests.assessment.factories import judge, make_assignment
from tests.factories import make_organizer, make_pool, make_task, make_user
from trackside.statistics.suspects import Suspect

pytestmark = pytest.mark.django_db

DOCNOS = [f"D{number}" for number in range(1, 61)]
TRUTH = np.random.default_rng(3).integers(3, size=len(DOCNOS))


def texts(task: Task) -> str:
    caches["pages"].clear()
    return "\n".join(f"{guard.state} {guard.text}" for guard in open_actions(task, [RELEASE_GUARDS]))


def judged(*graded: np.ndarray, seconds: float = 3.0) -> Task:
    """A topic of 60 items, graded by as many people as there are lists of grades."""
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=len(DOCNOS))
    pool = make_pool(task, pairs=[("T1", docno) for docno in DOCNOS])
    for index, grades in enumerate(graded):
        assignment = make_assignment(pool, kind=AssignmentKind.SECOND if index else AssignmentKind.OWNER)
        for docno, grade in zip(DOCNOS, grades, strict=True):
            judge(assignment, docno, int(grade), active_seconds=seconds)
    return task


def test_people_who_agree_are_not_named() -> None:
    slips = np.where(np.arange(len(DOCNOS)) % 10 == 0, 1, TRUTH)  # equal grades throughout would be named
    assert "bad" not in texts(judged(TRUTH, slips))


def test_person_who_stops_looking_is_named_with_the_judgment_and_the_kind() -> None:
    keys = np.random.default_rng(4).integers(3, size=len(DOCNOS))
    task = judged(TRUTH, keys, TRUTH)
    found = texts(task)
    name = str(Assignment.objects.filter(pool__task=task).order_by("pk")[1].assessor)
    assert f"bad {name} does not look" in found
    assert "from judgment 1 (" in found
    assert "to settle" in found


def test_of_two_people_at_chance_both_are_named() -> None:
    found = texts(judged(TRUTH, np.random.default_rng(4).integers(3, size=len(DOCNOS))))
    assert " or " in found


def test_haste_names_nobody_and_single_grading_is_named() -> None:
    found = texts(judged(TRUTH, seconds=0.3))
    assert "No item is graded by two people" in found
    assert "bad" not in found


def test_page_says_about_whom_nothing_can_be_told_and_how_to_know(client: Client) -> None:
    task = judged(TRUTH)
    caches["pages"].clear()
    client.force_login(make_organizer(task.track))
    page = " ".join(
        client.get(reverse("judging_quality", args=[task.track.slug, task.slug])).content.decode().split()
    )
    assert "Nothing can tell yet whether" in page
    assert "gold items of the highest grade" in page


def test_page_offers_to_take_a_suspects_judgments_out(client: Client) -> None:
    task = judged(TRUTH, np.random.default_rng(4).integers(3, size=len(DOCNOS)), TRUTH)
    caches["pages"].clear()
    client.force_login(make_organizer(task.track))
    page = client.get(reverse("judging_quality", args=[task.track.slug, task.slug])).content.decode()
    assert "From judgment" in page  # and no end: the last one is where the evidence was strongest
    link = html.unescape(re.search(r'href="([^"]*exclusions/[^"]*since=[^"]*)"', page)[1])  # type: ignore[index]
    form = client.get(link).context["form"]
    bad = Assignment.objects.filter(pool__task=task).order_by("pk")[1].assessor
    assert int(form["assessor"].value()) == bad.pk
    assert form["since"].value()


def test_each_of_two_suspects_is_taken_out_from_their_own_judgments_on() -> None:
    ann, ben = people = [make_user(name=name) for name in ("Ann", "Ben")]
    monday, tuesday = (datetime(2026, 11, day, 9, tzinfo=UTC) for day in (23, 24))
    times = [[start + timedelta(minutes=minute) for minute in range(60)] for start in (tuesday, monday)]
    suspect = Suspect((ann.pk, ben.pk), "does not look", 50, 59, 60)
    found = Distrust.of(suspect, people, times)
    assert found.starts == {ann: "2026-11-24T09:50:00", ben: "2026-11-23T09:00:00"}
