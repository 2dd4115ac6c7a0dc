"""Tracks and tasks: phases by the database clock, dates in order, and who sees what."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, ProgrammingError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.models import Criteria, Phase, Task, TaskKind, Track, User
from tests.factories import (
    dates_of,
    make_assessor,
    make_collection,
    make_organizer,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.trackside.malformed_criteria import MALFORMED

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()


@pytest.mark.parametrize("phase", list(Phase))
def test_phase_follows_from_the_dates(phase: Phase) -> None:
    task = make_task(phase=phase)
    assert task.phase == phase
    assert Task.objects.in_judging().contains(task) == (phase == Phase.JUDGING)
    unending = make_task(phase=Phase.JUDGING, releases_at=None)
    assert unending.phase == Phase.JUDGING
    assert Task.objects.in_judging().contains(unending)


def test_phase_is_decided_by_the_database_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task(phase=Phase.OPEN)
    future = timezone.now() + timedelta(days=400)
    monkeypatch.setattr(timezone, "now", lambda: future)
    assert Task.objects.with_phase().get(pk=task.pk).phase == Phase.OPEN


@pytest.mark.parametrize(
    "moves",
    [
        {"closes_at": -2},  # before the opening
        {"judging_at": -1},  # before the close
        {"releases_at": 1},  # before judging opens
        {"closes_at": None},  # a gap
        {"opens_at": None},
    ],
)
def test_dates_are_in_order_without_gaps(moves: dict[str, int | None]) -> None:
    now = timezone.now()
    dates = {"opens_at": -1, "closes_at": 0, "judging_at": 2, "releases_at": 3} | moves
    fields: dict[str, Any] = {
        name: None if days is None else now + timedelta(days=days) for name, days in dates.items()
    }
    with pytest.raises(IntegrityError, match="task_dates"), transaction.atomic():
        make_task(**fields)


def _people(track: Track) -> dict[str, User | AnonymousUser]:
    return {
        "nobody": NOBODY,
        "outsider": make_user(),
        "member": make_team_member(make_team(track)),
        "assessor": make_assessor(track),
        "organizer": make_organizer(track),
        "organizer elsewhere": make_organizer(make_track()),
        "staff": make_staff(),
    }


def test_draft_is_seen_by_its_organizers_only_and_an_opened_task_by_everybody() -> None:
    task = make_task(phase=Phase.DRAFT)
    people = _people(task.track)
    seeing = {who for who, user in people.items() if Task.objects.visible_to(user).contains(task)}
    assert seeing == {"organizer", "staff"}
    Task.objects.update(**dates_of(Phase.OPEN))
    assert all(Task.objects.visible_to(user).contains(task) for user in people.values())


def test_track_without_an_opened_task_is_seen_by_its_people_only() -> None:
    track = make_task(phase=Phase.DRAFT).track
    seeing = {who for who, user in _people(track).items() if Track.objects.visible_to(user).contains(track)}
    assert seeing == {"member", "assessor", "organizer", "staff"}


def test_results_are_released_to_everybody_but_the_track_s_assessors() -> None:
    task = make_task(phase=Phase.RELEASED)
    people = _people(task.track)
    blind = {who for who, user in people.items() if not Task.objects.released_to(user).contains(task)}
    assert blind == {"assessor"}
    task = make_task(phase=Phase.JUDGING)
    assert not any(Task.objects.released_to(user).contains(task) for user in _people(task.track).values())


def test_latest_version_of_the_criteria_is_current() -> None:
    task = make_task()
    first = Criteria.objects.current(task)
    assert first.scale == (0, 1, 2)
    second = Criteria.objects.create(task=task, version=2, grades=first.grades[:2])
    assert Criteria.objects.current(task) == second


@pytest.mark.parametrize("grades", MALFORMED.values(), ids=MALFORMED.keys())
def test_database_refuses_criteria_that_are_no_scale(grades: Any) -> None:
    task = make_task()
    with pytest.raises(IntegrityError), transaction.atomic():
        Criteria.objects.create(task=task, version=2, grades=grades)
    with pytest.raises(IntegrityError), transaction.atomic():
        Criteria.objects.filter(task=task).update(grades=grades)


def test_criteria_can_be_changed_and_deleted_until_somebody_judges_by_them() -> None:
    criteria = Criteria.objects.current(make_task())
    criteria.grades = criteria.grades[:2]
    criteria.save()
    Criteria.objects.filter(pk=criteria.pk).update(frozen_at=timezone.now())
    with pytest.raises(ProgrammingError, match="Cannot update or delete"), transaction.atomic():
        Criteria.objects.filter(pk=criteria.pk).update(instructions="Grade higher.")
    with pytest.raises(ProgrammingError, match="Cannot update or delete"), transaction.atomic():
        criteria.delete()


def test_malformed_criteria_of_an_older_database_have_no_words() -> None:
    criteria = Criteria(grades=[["good", 1]])
    assert (criteria.words, criteria.scale) == ([], ())


def test_close_and_end_of_grace_still_count_and_the_microsecond_after_does_not() -> None:
    task = make_task(judging_at=None, releases_at=None, grace=timedelta(minutes=30))
    assert task.opens_at
    assert task.closes_at
    instant = timedelta(microseconds=1)
    for moment, is_open, does_take in (
        (task.opens_at - instant, False, False),
        (task.opens_at, True, True),
        (task.closes_at, True, True),
        (task.closes_at + instant, False, True),
        (task.closes_at + task.grace, False, True),
        (task.closes_at + task.grace + instant, False, False),
    ):
        assert Task.objects.open_at(moment).contains(task) == is_open, moment
        assert Task.objects.taking_runs_at(moment).contains(task) == does_take, moment


@pytest.mark.parametrize(
    "fields",
    [
        {"grace": timedelta(seconds=-1)},
        {"grace": timedelta(days=2)},  # longer than the day between close and judging
        {"max_runs": 0},
        {"tag_max": 0},
        {"tag_max": 51},
    ],
)
def test_task_limits_are_kept_by_the_database(fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_task(**fields)


def test_track_doi_is_one_or_none() -> None:
    make_track(doi="10.5281/zenodo.1234567")
    for doi in ("https://doi.org/10.5281/zenodo.1", "10.5281/zenodo 1", "zenodo"):
        with pytest.raises(IntegrityError), transaction.atomic():
            make_track(doi=doi)


@pytest.mark.parametrize("name", ["track", "collection", "kind"])
def test_task_with_runs_keeps_what_they_were_checked_for(name: str) -> None:
    task = make_task()
    change = {
        "track": make_track(),
        "collection": make_collection(task.track),
        "kind": TaskKind.TEXT_TO_TEXT,
    }[name]
    Task.objects.filter(pk=task.pk).update(**{name: change})
    task.refresh_from_db()
    make_run(task)
    Task.objects.filter(pk=task.pk).update(name="Renamed", **{name: change})
    back = {"track": make_track(), "collection": make_collection(task.track), "kind": TaskKind.TEXT_TO_IMAGE}
    with pytest.raises(IntegrityError, match="track, collection, corpus and kind stay"), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(**{name: back[name]})


def test_task_stays_released_for_its_topics_if_its_release_is_moved_after_the_mails() -> None:
    task = make_task(phase=Phase.JUDGING)
    assert not Task.objects.once_released().exists()
    Task.objects.update(release_noted_at=Now())
    assert Task.objects.once_released().get() == task
    assert not Task.objects.released().exists()


def test_form_refuses_a_name_that_looks_like_another_track_s_of_the_year() -> None:
    track = make_track(name="Kestrel", year=2025)
    track.full_clean()
    with pytest.raises(ValidationError, match="A track of 2025 has this or a look-alike name"):
        Track(name="KESTRE1", slug="other", year=2025).clean()
    Track(name="KESTRE1", slug="other", year=2026).clean()
    Track(name="Kestrels", slug="other", year=2025).clean()
