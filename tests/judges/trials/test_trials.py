"""A judge on one pair: its score, or what is wrong with address, key, model or pair."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from evaluation.models import Task
from judges.models import Budget, Judge, Price, Trial
from judges.tasks import sweep
from judges.trials import actions
from judges.trials.actions import NothingToTry, ask_trial, run_trial, sweep_trials
from judges.trials.models import FORGOTTEN, UNCLAIMED
from tests.factories import make_organizer, make_pool, make_staff, make_task
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Act, running
from tests.judges.factories import make_endpoint_judge, make_generator, make_image_pool, make_judge
from tests.judges.pages.setting import address

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_image_pool().task


def tried(judge: Judge, task: Task) -> Trial:
    trial = ask_trial(judge=judge, task=task, by=make_organizer(task.track))
    run_trial(trial_id=trial.pk)
    return Trial.objects.get(pk=trial.pk)


def price() -> None:
    Price.objects.create(model="judge-2026-01-31", input_price=2, output_price=10)


def test_encoder_gives_the_raw_score_of_the_pair(counting: list[bytes], task: Task) -> None:
    trial = tried(make_judge(), task)
    assert trial.result.startswith("raw score ")
    assert (trial.topic, trial.docno, trial.error, len(counting)) == ("T1", "D1", "", 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "reads 6 of 7 tokens"),  # "Four words are here", "Three are here"; room for 6
        ({"prompt": "Two words"}, "reads 4 of 7 tokens"),
        ({"text_fields": ("title",)}, "reads all 3 tokens of the text"),
        ({"long_text": "chunk-mean"}, "reads all 7 tokens of the text"),
    ],
)
def test_trial_counts_what_the_model_reads(
    counting: list[bytes], task: Task, changes: dict[str, Any], words: str
) -> None:
    task.topics.update(fields=[["text", "Four words are here"], ["title", "Three are here"]])
    assert tried(make_judge(**changes), task).result.endswith(words)


def test_model_that_cannot_be_loaded_is_refused_at_once(
    counting: list[bytes], task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object) -> None:
        raise ImportError("Qwen2VLVideoProcessor needs torchvision\nInstall it.")

    monkeypatch.setattr(CountingEncoder, "__init__", load)
    trial = tried(make_judge(), task)
    assert "cannot be loaded. ImportError: Qwen2VLVideoProcessor needs torchvision" in trial.error
    assert "Install it" not in trial.error


def test_trial_whose_model_fails_says_why_at_once(
    counting: list[bytes], task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError("position 514\nis out of range")

    monkeypatch.setattr(CountingEncoder, "encode_texts", fail)
    with pytest.raises(IndexError):
        tried(make_judge(), task)
    trial = Trial.objects.get()
    assert (trial.error, trial.is_running) == ("The judge failed: IndexError: position 514", False)


def test_trial_page_marks_the_number_that_was_read(scripted: Any, task: Task) -> None:
    tried(make_generator(), task)
    page = signed_in(task).get(address("setup_judges", task)).content.decode()
    assert '<mark title="Read as the score">' in page


def signed_in(task: Task) -> Client:
    organizer = Client()
    organizer.force_login(make_organizer(task.track))
    return organizer


def test_trial_is_of_the_first_pair_of_the_pool(counting: list[bytes], task: Task) -> None:
    make_pool(task, pairs=[("T2", "D3"), ("T1", "D2")])
    trial = tried(make_judge(), task)
    assert (trial.topic, trial.docno) == ("T2", "D3")


def test_generator_gives_its_score_and_words(scripted: Any, task: Task) -> None:
    trial = tried(make_generator(), task)
    assert trial.answer.startswith("Relevance: ")
    assert [part.kind for part in trial.answer_parts] == ["", "read"]
    assert trial.result.endswith(", 100 tokens sent")
    run_trial(trial_id=trial.pk)
    assert len(scripted.asked) == 1  # a second message asks nothing again


def test_trial_whose_message_was_lost_is_queued_again(
    counting: list[bytes], task: Task, queued: list[tuple[str, int]]
) -> None:
    trial = ask_trial(judge=make_judge(), task=task, by=make_organizer(task.track))
    queued.clear()
    sweep_trials()
    assert queued == [], "its message is fresh"
    Trial.objects.update(asked_at=Now() - FORGOTTEN)
    sweep()
    assert ("judges.try_judge", trial.pk) in queued
    queued.clear()
    Trial.objects.update(asked_at=Now() - UNCLAIMED - timedelta(seconds=1))
    sweep_trials()
    assert queued == [], "the page asks for another trial by now"


def test_endpoint_that_answers_works_and_is_charged_to_the_track_by_its_tokens(task: Task) -> None:
    price()
    with running() as endpoint:
        trial = tried(make_endpoint_judge(endpoint.url), task)
    assert trial.result.startswith("score ")
    budget = Budget.objects.of_track(task.track)
    assert trial.cost_micros == budget.spent_micros == 2 * PROMPT_TOKENS + 10 * COMPLETION_TOKENS
    assert budget.reserved_micros == 0


@pytest.mark.parametrize(
    ("status", "words"), [(401, "401"), (404, "404"), (None, "No answer (connection_lost)")]
)
def test_wrong_key_model_or_address_is_reported_within_seconds(
    task: Task, status: int | None, words: str
) -> None:
    price()
    started_at = time.monotonic()
    with running(lambda _: Act(status=status or 0)) as endpoint:
        trial = tried(make_endpoint_judge(endpoint.url if status else "http://127.0.0.1:1/v1"), task)
    assert words in trial.error
    assert time.monotonic() - started_at < 10
    # A rejected request costs nothing; one whose connection was lost counts at its bound.
    assert (Budget.objects.of_track(task.track).spent_micros == 0) == bool(status)


@pytest.mark.parametrize(("missing", "sent"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("limit", ["cap_micros", "ceiling_micros"])
def test_trial_may_fill_a_cap_exactly(
    task: Task, monkeypatch: pytest.MonkeyPatch, limit: str, missing: int, sent: int
) -> None:
    """The bound of its cost fits a cap of the same sum, and not one micro less."""
    price()
    Budget.objects.of_track(task.track)
    bounds: list[int] = []
    charge = actions._charge

    def record(trial: Trial, micros: int) -> None:
        bounds.append(micros)
        charge(trial, micros)

    with running() as endpoint:
        judge = make_endpoint_judge(endpoint.url)
        with monkeypatch.context() as patch:
            patch.setattr(actions, "_charge", record)
            tried(judge, task)
        Budget.objects.update(spent_micros=0, **{limit: bounds[0] - missing})
        trial = tried(judge, task)
        assert len(endpoint.asked) == 1 + sent
    assert ("no room for a trial" in trial.error) == (not sent)
    assert Budget.objects.of_track(task.track).spent_micros == trial.cost_micros
    assert bool(trial.cost_micros) == bool(sent)


def test_trial_without_a_price_sends_nothing_where_a_cap_counts_money(task: Task) -> None:
    Budget.objects.of_track(task.track)
    Budget.objects.update(cap_micros=10**7)
    with running() as endpoint:
        trial = tried(make_endpoint_judge(endpoint.url), task)
        assert endpoint.asked == []
    assert "no price" in trial.error


def test_trial_needs_a_pair(counting: list[bytes]) -> None:
    with pytest.raises(NothingToTry, match="no pair"):
        ask_trial(judge=make_judge(), task=make_task(), by=make_staff())
    assert counting == []


def test_only_staff_make_judges_and_organizers_try_them(counting: list[bytes], task: Task) -> None:
    judge = make_judge()
    organizer = Client()
    organizer.force_login(make_organizer(task.track))
    page = address("setup_judges", task)
    assert "New judge from a preset" not in organizer.get(page).content.decode()
    assert organizer.post(page, {"name": "mine"}).status_code == 403
    organizer.post(reverse("judge_try", args=[task.track.slug, task.slug, judge.pk]))
    assert "being tried" in organizer.get(page).content.decode()
    run_trial(trial_id=Trial.objects.get().pk)
    assert "works: raw score" in organizer.get(page).content.decode()
    progress = organizer.get(address("trial_progress", task))
    assert progress.headers["HX-Refresh"] == "true"


def test_preset_needs_an_address_only_where_a_model_is_asked(task: Task) -> None:
    staff, page = Client(), address("setup_judges", task)
    staff.force_login(make_staff())
    sent = {"name": "new", "model": "m-2026-01-31", "preset": "own-words-json (version 1)"}
    assert "enter its base URL" in staff.post(page, sent).content.decode()
    clip = sent | {"preset": "clip: clipscore-2021", "endpoint": "https://host/v1"}
    assert "leave the address empty" in staff.post(page, clip).content.decode()
    unpinned = sent | {"model": "gpt", "endpoint": "https://host/v1"}
    assert "is not a fixed version" in staff.post(page, unpinned).content.decode()
    staff.post(page, sent | {"endpoint": "https://host/v1"})
    assert Trial.objects.get().judge.name == "new"


def test_options_of_requests_are_set_on_the_page(task: Task) -> None:
    staff, page = Client(), address("setup_judges", task)
    staff.force_login(make_staff())
    chat = {"model": "m-2026-01-31", "preset": "own-words-json (version 1)", "endpoint": "https://host/v1"}
    clip = {"model": "a/clip", "preset": "clip: clipscore-2021"}
    for sent, words in (
        (chat | {"decoding": "[1]"}, "Write an object"),
        (chat | {"decoding": "{"}, "Enter a valid JSON"),
        (chat | {"decoding": '{"stream": true}'}, "does not send"),
        (clip | {"decoding": '{"temperature": 0}'}, "leave the options empty"),
    ):
        assert words in staff.post(page, sent | {"name": "new"}).content.decode()
    asked = '{"max_completion_tokens": 512, "temperature": null, "chat_template_kwargs": {"thinking": false}}'
    staff.post(page, chat | {"name": "new", "decoding": asked})
    assert Judge.objects.get().decoding == {
        "max_tokens": 64,
        "max_completion_tokens": 512,
        "chat_template_kwargs": {"thinking": False},
        "leave_out": ["temperature"],
    }


def test_trial_of_a_person_who_no_longer_organizes_sends_nothing(counting: list[bytes], task: Task) -> None:
    person = make_organizer(task.track)
    trial = ask_trial(judge=make_judge(), task=task, by=person)
    person.memberships.all().delete()
    run_trial(trial_id=trial.pk)
    trial.refresh_from_db()
    assert "no longer organizes" in trial.error
    assert counting == []
