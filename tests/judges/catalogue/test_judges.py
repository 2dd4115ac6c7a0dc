"""Judges are pinned when they are made, never change, and are retired; their models are shut down."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from judges.catalogue.actions import ask_shutdown, retire_judge, sweep_shutdowns
from judges.models import Judge, Price
from tests.factories import make_staff
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.factories import make_generator, make_image_pool, make_judge, started
from tests.judges.pages.setting import address, text_of
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"prompt": "x"}, {"seed": 9}, {"text_fields": ["x"]}, {"task_kinds": ["text-to-text"]}],
)
def test_judge_cannot_be_changed_in_the_database(change: dict[str, object]) -> None:
    judge = make_judge()

    with pytest.raises(DatabaseError, match="judges_are_immutable"):
        Judge.objects.filter(pk=judge.pk).update(**change)


def test_judge_cannot_be_deleted_and_needs_a_task_kind() -> None:
    judge = make_judge()
    with pytest.raises(DatabaseError, match="judges_are_never_deleted"), transaction.atomic():
        Judge.objects.filter(pk=judge.pk).delete()
    judge.pk, judge.name, judge.task_kinds = None, "none", []
    with pytest.raises(IntegrityError, match="judge_accepts_some_task_kind"):
        judge.save()


def test_retire_judge_takes_it_out_of_use_once() -> None:
    judge, other = make_judge(), make_judge()

    retire_judge(judge=judge, by=make_staff())

    assert list(Judge.objects.in_use()) == [other]
    with refused("judge-retired-before"):
        retire_judge(judge=judge, by=make_staff())


def test_judge_settings_are_those_it_was_made_with() -> None:
    judge = make_judge(text_fields=("b", "a"), decoding={"top_k": 1}, prompt="A photo depicts ")

    stored = Judge.objects.get(pk=judge.pk)
    assert stored.settings.identity_sha256 == stored.identity_sha256
    assert stored.settings.text_fields == ("b", "a")


def test_create_judge_refuses_equal_settings() -> None:
    judge = make_judge(model="the-model")

    with refused("judge-exists", match=judge.name):
        make_judge(name=judge.name)
    with refused("judge-exists", match=judge.name):
        make_judge(name="another-name", model="the-model")


def test_create_judge_accepts_some_of_the_backends_task_kinds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CountingEncoder, "task_kinds", {"text-to-image", "image-to-text"})
    assert make_judge().task_kinds == ["image-to-text", "text-to-image"]
    assert make_judge(task_kinds=["text-to-image"]).task_kinds == ["text-to-image"]
    with refused("task-kind-refused"):
        make_judge(task_kinds=["text-to-text"])


def test_create_judge_needs_a_backend_that_exists() -> None:
    with refused("backend-unknown"):
        make_judge(backend="umbrela")


def test_shutdown_date_is_kept_and_shown_before_and_during_a_job(
    client: Client, queued: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dates = iter([date(2027, 3, 1), None])
    monkeypatch.setattr("judges.catalogue.actions.fetch_shutdown_date", lambda *_: next(dates))
    judge, pool = make_generator(endpoint="https://api.openai.com/v1"), make_image_pool()
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(1))
    assert queued == [("judges.run_shutdown", judge.pk)]

    ask_shutdown(judge_id=judge.pk)
    ask_shutdown(judge_id=judge.pk)
    job = started(judge, pool)

    assert queued.count(("judges.run_shutdown", judge.pk)) == 2
    assert Judge.objects.get().shutdown_on == date(2027, 3, 1)
    client.force_login(pool.created_by)
    for page in (address("job_start", pool.task), address("job_detail", pool.task, job)):
        assert f"The model of {judge} will be shut down on 1 March 2027" in text_of(client.get(page))


def test_sweep_asks_again_for_each_judge_in_use(queued: list[tuple[str, int]]) -> None:
    lost = make_generator(endpoint="https://api.openai.com/v1")
    retired = make_generator(endpoint="https://api.openai.com/v1")
    retire_judge(judge=retired, by=make_staff())
    queued.clear()
    make_generator()  # in this process, without an endpoint
    assert queued == []

    sweep_shutdowns()

    assert queued == [("judges.run_shutdown", lost.pk)]
