"""Pages that set up a task: each step saves its form, and names what is missing."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Collection, Criteria, Invitation, Mail, Membership, Role, Task, Team, Track
from evaluation.organizing.setup.actions import choose_collection
from evaluation.organizing.setup.steps import Stage
from tests.evaluation.organizing.setup.setup_pages import address, client_of, needs
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_staff,
    make_task,
    make_team,
    make_topic,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


DATES = ("opens_at", "closes_at", "judging_at", "releases_at")
STEPS = ("dates", "collection", "topics", "criteria", "guidelines", "runs", "plan", "gold", "people", "teams")


def test_staff_begin_a_track_with_its_first_task() -> None:
    staff = client_of(make_staff())
    form = {"name": "AToMiC", "year": 2026, "task_name": "Image suggestion", "kind": "text-to-image"}
    answer = staff.post(reverse("track_begin"), form | {"preset": "trec"})
    assert answer.headers["Location"] == "/tracks/atomic-2026/tasks/image-suggestion/setup/dates/"
    track = Track.objects.get(slug="atomic-2026")
    assert Membership.objects.get(track=track).role == Role.ORGANIZER
    assert Criteria.objects.get(task__track=track).scale == (0, 1, 2, 3)
    again = staff.post(reverse("track_begin"), form)
    assert "A track has the address atomic-2026" in again.content.decode()


def test_organizers_begin_tasks_in_their_own_track_only() -> None:
    track = make_track()
    organizer, form = client_of(make_organizer(track)), {"task_name": "T", "kind": "text-to-image"}
    assert organizer.get(reverse("track_begin")).status_code == 404
    assert organizer.post(reverse("task_begin", args=[make_track().slug]), form).status_code == 404
    assert organizer.post(reverse("task_begin", args=[track.slug]), form).status_code == 302
    assert Task.objects.get().track == track


def test_settings_are_copied_from_own_tasks_only(task: Task) -> None:
    person = make_organizer(task.track)
    source = make_task(task.track, guidelines="Read this.", max_runs=3)
    source.families.create(name="CLIP-based")
    foreign = make_task(guidelines="Secret.")
    url, form = reverse("task_begin", args=[task.track.slug]), {"kind": "text-to-image"}
    refused = client_of(person).post(url, form | {"task_name": "A", "source": foreign.pk})
    assert "Select a valid choice" in refused.content.decode()
    client_of(person).post(url, form | {"task_name": "B", "source": source.pk})
    made = Task.objects.get(slug="b")
    assert (made.guidelines, made.max_runs, made.opens_at) == ("Read this.", 3, None)
    assert [family.name for family in made.families.all()] == ["CLIP-based"]


@pytest.mark.parametrize("step", [*STEPS, "judges", "open"])
def test_step_shows_itself_and_all_others_and_has_one_primary_action(task: Task, step: str) -> None:
    answer = client_of(make_staff()).get(address(task, step))
    page = answer.content.decode()
    assert answer.context["steps"][answer.context["number"] - 1].step.slug == step
    assert page.count('aria-current="step"') == 1
    assert all(address(task, each) in page for each in (*STEPS, "judges", "open"))
    first = re.findall(r'<(?:button|a)[^>]*class="(?:btn )?first"[^>]*>\s*([^<]+)<', page)
    assert [words.strip().split(":")[0] for words in first] in (["Next"], ["Save, next"], ["Open it now"])


def test_dates_are_saved_in_the_zone_of_the_task(organizer: Client, task: Task) -> None:
    early = {
        "time_zone": "UTC",
        "opens_at": "2030-10-02T00:00",
        "closes_at": "2030-10-01T00:00",
        "grace": "0",
    }
    page = organizer.post(address(task, "dates"), early).content.decode()
    assert "Dates go in order" in page
    assert "0 of 4 dates" in page, "the list of steps shows what is stored"
    form = {
        "time_zone": "Europe/Berlin",
        "opens_at": "2030-10-01T00:00",
        "closes_at": "2030-11-01T12:00",
        "grace": "",
    }
    answer = organizer.post(address(task, "dates"), form | {"go": "next"})
    assert answer.headers["Location"] == address(task, "collection")
    task.refresh_from_db()
    assert str(task.opens_at) == "2030-09-30 22:00:00+00:00"  # Berlin is 2 hours ahead in October
    assert task.grace == timedelta()
    page = organizer.get(address(task, "dates")).content.decode()
    assert "until 1 Nov 12:00 <" in " ".join(page.split())  # without a zone, which is shown below
    assert "Europe/Berlin" in page


def test_setting_up_goes_on_where_the_opening_lacks_something_else_at_the_end(
    organizer: Client, task: Task
) -> None:
    def resumed() -> str:
        return organizer.get(reverse("setup", args=[task.track.slug, task.slug])).headers["Location"]

    def done_count() -> int:
        return int(organizer.get(address(task, "dates")).context["done_count"])

    assert resumed() == address(task, "dates")
    before = done_count()
    dates = {name: f"2090-0{month}-01T00:00Z" for month, name in enumerate(DATES, start=1)}
    Task.objects.update(**dates)
    assert (resumed(), done_count()) == (address(task, "collection"), before + 1)
    make_document(task.collection, image=make_image())
    assert resumed() == address(task, "guidelines")
    Task.objects.update(guidelines="Read.")
    assert resumed() == address(task, "open")


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("guidelines", {"guidelines": "- a\n" * 20_000}),
        ("guidelines", {"track_guidelines": "- a\n" * 20_000}),
        ("guidelines", {"description": "a " * 3000}),
        ("criteria", {"instructions": "- a\n" * 20_000}),
        ("runs", {"act": "rules", "measures": " ".join(f"P@{place}" for place in range(1, 102))}),
    ],
    ids=["guidelines of the task", "guidelines of the track", "description", "instructions", "measures"],
)
def test_texts_that_would_slow_the_pages_of_others_are_refused(
    organizer: Client, task: Task, step: str, sent: dict[str, Any]
) -> None:
    scale = {"act": "save", "grade": ["0", "1"], "name": ["No", "Yes"], "text": ["", ""], "level": "1"}
    rules = {"max_per_topic": 1000, "pool_depth": 30, "baseline_pool_depth": 25}
    answer = organizer.post(address(task, step), scale | rules | sent)
    assert answer.status_code == 200
    assert re.search("at most (50,000|50000|5000) characters|no more than 100", answer.content.decode())


def test_criteria_editor_adds_removes_saves_and_names_each_fault(organizer: Client, task: Task) -> None:
    url = address(task, "criteria")
    rows: dict[str, Any] = {"grade": ["1", "0"], "name": ["Fits", "No use"], "text": ["a", "b"], "level": "1"}
    more = organizer.post(url, rows | {"act": "add"}).content.decode()
    assert more.count('name="grade"') == 3
    fewer = organizer.post(url, rows | {"act": "remove 0"}).content.decode()
    assert (fewer.count('name="grade"'), 'value="Fits"' in fewer) == (1, False)
    wrong = rows | {"grade": ["1", "1"], "name": ["Fits", ""], "act": "save"}
    page = organizer.post(url, wrong).content.decode()
    assert "Grade 1 is given twice" in page
    assert Criteria.objects.get().scale == (0, 1, 2)
    level = organizer.post(url, rows | {"level": "7", "act": "save"}).content.decode()
    assert "Relevant from 7" in level
    assert organizer.post(url, rows | {"act": "save", "go": "next"}).status_code == 302
    assert Criteria.objects.get().words[1] == {"grade": 1, "name": "Fits", "text": "a"}


def test_criteria_editor_takes_the_numbers_of_files(organizer: Client, task: Task) -> None:
    url = address(task, "criteria")
    rows: dict[str, Any] = {"grade": ["1", "0"], "name": ["Fits", "Junk"], "text": ["", ""], "level": "1"}
    wrong = organizer.post(url, rows | {"written": ["", "-101"], "act": "save"}).content.decode()
    assert "The number in files must be a whole number from -100 to 100." in wrong
    falling = organizer.post(url, rows | {"written": ["-3", "-2"], "act": "save"}).content.decode()
    assert "must ascend" in falling
    organizer.post(url, rows | {"written": ["", "\N{MINUS SIGN}2"], "act": "save"})
    assert Criteria.objects.get().numbers == {0: -2, 1: 1}
    assert 'value="-2"' in organizer.get(url).content.decode()


def test_criteria_that_were_judged_by_get_a_new_version(organizer: Client, task: Task) -> None:
    from django.utils import timezone

    Criteria.objects.update(frozen_at=timezone.now())
    rows = {"grade": ["1", "0"], "name": ["Yes", "No"], "text": ["", ""], "level": "1", "act": "save"}
    organizer.post(address(task, "criteria"), rows)
    assert [each.version for each in Criteria.objects.order_by("version")] == [1, 2]


def test_presets_show_their_grades_without_saving_them(organizer: Client, task: Task) -> None:
    page = organizer.get(address(task, "criteria"), {"preset": "binary"}).content.decode()
    assert page.count('name="grade"') == 2
    assert "not saved yet" in page
    assert Criteria.objects.get().scale == (0, 1, 2)


def test_several_people_are_invited_at_once_or_none(organizer: Client, task: Task) -> None:
    url = address(task, "people")
    assessor = make_assessor(task.track)
    both = {"emails": f"a@example.org, {assessor.email}", "role": "assessor"}
    assert "assesses in" in organizer.post(url, both).content.decode()
    assert not Invitation.objects.exists()
    assert "No e-mail address: b" in organizer.post(url, both | {"emails": "b"}).content.decode()
    assert "Write at least one address" in organizer.post(url, both | {"emails": " , "}).content.decode()
    organizer.post(url, both | {"emails": "a@example.org;\nB@example.org a@example.org"})
    assert sorted(Mail.objects.values_list("to", flat=True)) == ["a@example.org", "b@example.org"]
    withdrawn = Invitation.objects.get(email="a@example.org")
    organizer.post(reverse("invitation_withdraw", args=[task.track.slug, task.slug, withdrawn.pk]))
    assert [each.email for each in Invitation.objects.all()] == ["b@example.org"]


def test_team_of_organizers_gets_its_people_by_mail(organizer: Client, task: Task) -> None:
    url = address(task, "teams")
    organizer.post(url, {"act": "team", "name": "Kestrel"})
    team = Team.objects.get()
    assert needs(task, Stage.POOL)[-3:].count("Nobody is in Kestrel.") == 1
    owner = make_user()
    organizer.post(url, {"act": "invite", "team": team.pk, "emails": owner.email, "role": "team_owner"})
    link = str(Mail.objects.get().text).split("/invitations/")[1].split("\n")[0]
    page = client_of(owner).get(f"/invitations/{link}").content.decode()
    assert f"take part in the track {task.track} with the team Kestrel, as its owner" in page
    client_of(owner).post(f"/invitations/{link}")
    assert Membership.objects.get(user=owner).role == Role.TEAM_OWNER
    assert "Nobody is in Kestrel." not in needs(task, Stage.POOL)


def test_team_of_another_track_is_absent(organizer: Client, task: Task) -> None:
    foreign = make_team()
    form = {"act": "invite", "team": foreign.pk, "emails": "a@example.org", "role": "team_owner"}
    assert organizer.post(address(task, "teams"), form).status_code == 404
    assert not Invitation.objects.exists()


def test_pictures_and_texts_of_topics_are_shown_in_steps(organizer: Client, task: Task) -> None:
    make_document(task.collection, docno="D1")
    image = make_image()
    fields = [["page_title", "Lakes"], ["empty", " "], ["section_title", "Boats"]]
    make_topic(task, number="A9", image=image, fields=fields)
    for step in ("topics", "criteria", "gold"):
        page = organizer.get(address(task, step), {"topic": "A9"}).content.decode()
        assert reverse("image", args=[image.sha256, "thumbnail"]) in page, step
        assert "Lakes · Boats" in page, step


def test_families_and_questions_are_added_and_removed(organizer: Client, task: Task) -> None:
    url = address(task, "runs")
    organizer.post(url, {"act": "family", "name": "Dense"})
    assert "family" in organizer.post(url, {"act": "family", "name": "DENSE"}).content.decode().lower()
    question = {"act": "question", "text": "Trained on it?", "name": "training", "kind": "yes-no"}
    organizer.post(url, question)
    assert "Another question is named training" in organizer.post(url, question).content.decode()
    family, asked = task.families.get(), task.submission_questions.get()
    organizer.post(reverse("row_remove", args=[task.track.slug, "family", family.pk]))
    organizer.post(reverse("row_remove", args=[task.track.slug, "question", asked.pk]))
    assert not task.families.exists()
    assert not task.submission_questions.exists()


def test_collection_of_another_track_cannot_be_chosen(organizer: Client, task: Task) -> None:
    foreign = make_task().collection
    page = organizer.post(address(task, "collection"), {"collection": foreign.pk})
    assert "Select a valid choice" in page.content.decode()
    organizer.post(address(task, "collection"), {"name": "Pictures"})
    task.refresh_from_db()
    assert task.collection.name == "Pictures"


def test_empty_collection_that_another_task_uses_stays() -> None:
    task, other = make_task(), make_task()
    task.collection = other.collection  # of no document
    task.save()
    choose_collection(task=task, collection=make_task(task.track).collection)
    assert Collection.objects.filter(pk=other.collection_id).exists()
    choose_collection(task=task, collection=task.collection)  # the same one again
    assert Collection.objects.filter(pk=task.collection_id).exists()
    unused = make_task(task.track)
    old = unused.collection_id
    choose_collection(task=unused, collection=task.collection)
    assert not Collection.objects.filter(pk=old).exists()
    filled = make_task(task.track, document_count=1)
    old = filled.collection_id
    choose_collection(task=filled, collection=task.collection)
    assert Collection.objects.filter(pk=old).exists()
