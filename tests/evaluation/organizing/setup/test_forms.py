from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from evaluation.models import SubmissionQuestion, Task
from evaluation.organizing.setup.forms import RulesForm
from evaluation.submissions.runs.forms import SubmissionQuestionForm
from evaluation.tracks.forms import TaskDatesForm
from evaluation.tracks.models import DATES
from tests.factories import (
    make_run,
    make_task,
)
from trackside.text.time_zones import AOE

pytestmark = pytest.mark.django_db


def _filled(task: Task) -> dict[str, Any]:
    return model_to_dict(task) | {"measures": " ".join(task.measures)}


@pytest.mark.parametrize("odd", ["0001-01-01T00:00", "9999-12-31T23:59", "1969-12-31T00:00"])
def test_task_form_refuses_years_that_no_track_has(odd: str) -> None:
    """In another zone the first two exceed Python's years, so no page could show the task."""
    task = make_task()
    filled = _filled(task) | dict.fromkeys(DATES, None) | {"opens_at": odd, "time_zone": AOE}
    assert TaskDatesForm(filled, instance=task).errors == {"opens_at": ["Write a year from 1970 to 2199."]}
    dates = {"releases_at": datetime(2200, 1, 2, tzinfo=UTC), "opens_at": datetime(1969, 1, 1, tzinfo=UTC)}
    for name, date in dates.items():
        with pytest.raises(IntegrityError, match="task_dates_of_this_age"), transaction.atomic():
            Task.objects.filter(pk=task.pk).update(**{name: date})


def test_task_form_refuses_a_grace_beyond_all_dates() -> None:
    task = make_task()
    filled = _filled(task) | dict.fromkeys(("judging_at", "releases_at"), None)
    for text, grace in (("2 h", 7200), ("30 min", 1800), ("1d", 86_400), ("0:30", 1800), ("1:30:00", 5400)):
        form = TaskDatesForm(filled | {"grace": text}, instance=task)
        assert form.is_valid(), form.errors
        assert form.cleaned_data["grace"].total_seconds() == grace
    unsaid = TaskDatesForm(filled | {"grace": "2"}, instance=task)
    assert unsaid.errors == {"grace": ["Give the unit: 2 h, 2 min or 2 d."]}
    form = TaskDatesForm(filled | {"grace": "999999999 00:00:00"}, instance=task)
    assert "The grace lasts up to 366 days." in str(form.errors)
    with pytest.raises(IntegrityError, match="task_grace_up_to_a_year"), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(grace=timedelta(days=367), judging_at=None, releases_at=None)


def test_rules_form_reads_measures_and_writes_their_names_as_the_site_does() -> None:
    task = make_task()
    form = RulesForm(
        _filled(task) | {"measures": "ndcg_cut_10 AP(rel=2)  nDCG@10 nDCG(1=1,2=3)@10"}, instance=task
    )
    assert form.is_valid(), form.errors
    assert form.save().measures == ["nDCG@10", "AP(rel=2)", "nDCG(1=1,2=3)@10"]
    assert RulesForm(instance=task)["measures"].value() == "nDCG@10 AP(rel=2) nDCG(1=1,2=3)@10"
    wrong = RulesForm(_filled(task) | {"measures": "nDCG@ten"}, instance=task)
    assert "nDCG@ten" in str(wrong.errors["measures"])
    sampled = RulesForm(_filled(task) | {"measures": "xinfAP"}, instance=task)
    assert "needs a sampled pool" in str(sampled.errors["measures"])


def test_question_form_keeps_the_name_that_replies_are_kept_under() -> None:
    task = make_task()
    question = SubmissionQuestion.objects.create(task=task, name="data", text="Trained on?")
    change = model_to_dict(question) | {"name": "training"}
    assert SubmissionQuestionForm(change, instance=question).is_valid()
    question.refresh_from_db()
    make_run(task, replies={"data": "COCO"})
    form = SubmissionQuestionForm(change, instance=question)
    assert form.errors == {"name": ["Runs have replies under the name 'data'. Keep it."]}


def test_task_form_takes_and_shows_dates_in_the_task_s_zone() -> None:
    task = make_task(closes_at=None, judging_at=None, releases_at=None)
    entered = {"time_zone": AOE, "opens_at": "2026-03-06T23:59"}
    form = TaskDatesForm(_filled(task) | entered, instance=task)
    assert form.is_valid(), form.errors
    saved = form.save()
    assert saved.opens_at == datetime(2026, 3, 7, 11, 59, tzinfo=UTC)
    assert 'value="2026-03-06T23:59:00"' in str(TaskDatesForm(instance=saved)["opens_at"])
    assert "opens_at" not in TaskDatesForm(_filled(saved) | entered, instance=saved).changed_data
    skipped = {"time_zone": "Europe/Berlin", "opens_at": "2026-03-29T02:30"}
    form = TaskDatesForm(_filled(task) | skipped, instance=task)
    assert "within the change of summer time" in str(form.errors["opens_at"])
