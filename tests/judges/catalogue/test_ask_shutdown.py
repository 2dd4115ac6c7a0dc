from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from judges.catalogue.actions import ask_shutdown, retire_judge, sweep_shutdowns
from judges.jobs.starting import start_job
from judges.models import Judge, Price
from tests.factories import make_staff
from tests.judges.factories import make_generator, make_image_pool
from tests.judges.pages.setting import address, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


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
    job = start_job(judge=judge, pool=pool, by=pool.created_by)

    assert queued.count(("judges.run_shutdown", judge.pk)) == 2
    assert Judge.objects.get().shutdown_on == date(2027, 3, 1)
    client.force_login(pool.created_by)
    for page in (address("job_start", pool.task), address("job_detail", pool.task, job)):
        assert f"The model of {judge} will be shut down on 1 March 2027" in text_of(client.get(page))


def test_judge_in_this_process_has_no_endpoint_to_ask(queued: list[tuple[str, int]]) -> None:
    make_generator()

    assert queued == []


def test_sweep_asks_again_for_each_judge_in_use(queued: list[tuple[str, int]]) -> None:
    lost = make_generator(endpoint="https://api.openai.com/v1")
    retired = make_generator(endpoint="https://api.openai.com/v1")
    retire_judge(judge=retired, by=make_staff())
    make_generator()
    queued.clear()

    sweep_shutdowns()

    assert queued == [("judges.run_shutdown", lost.pk)]
