"""A page that is open in two tabs: the second save is refused and shows what the first stored."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessment.models import JudgingPlan
from evaluation.models import Criteria, Task
from tests.concurrency.concurrent_calls import at_once
from tests.factories import make_organizer, make_task

pytestmark = pytest.mark.django_db

# Page, the field that both tabs change, their values, the button, and the stored value.
FORMS: dict[str, tuple[str, tuple[str, str], dict[str, str], Callable[[], object]]] = {
    "setup_dates": (
        "closes_at",
        ("2090-01-02T00:00:00", "2090-01-03T00:00:00"),
        {},
        lambda: f"{Task.objects.get().closes_at:%Y-%m-%dT%H:%M:%S}",
    ),
    "setup_guidelines": ("guidelines", ("first", "second"), {}, lambda: Task.objects.get().guidelines),
    "setup_runs": ("max_runs", ("3", "4"), {"act": "rules"}, lambda: str(Task.objects.get().max_runs)),
    "setup_plan": (
        "gold_percent",
        ("3", "4"),
        {"act": "plan"},
        lambda: str(JudgingPlan.objects.get().gold_percent),
    ),
}


@pytest.fixture
def task(client: Client) -> Task:
    task = make_task(judging_at=None, releases_at=None)
    client.force_login(make_organizer(task.track))
    return task


def address_of(page: str, task: Task) -> str:
    return reverse(page, args=[task.track.slug, task.slug])


def sent_by(page: Any, **changes: str) -> dict[str, str]:
    """What a browser sends for the main form of the page."""
    context = page.context
    form = context["rules"] if "max_runs" in getattr(context.get("rules"), "fields", ()) else context["form"]
    values = {field.html_name: field.field.prepare_value(field.value()) for field in form}
    shown = {
        name: str(value)
        for name, value in values.items()
        if value is not None and value is not False and value != []
    }
    return shown | changes


@pytest.mark.parametrize("page", FORMS)
def test_second_tab_does_not_overwrite_what_the_first_stored(client: Client, task: Task, page: str) -> None:
    field, (first, second), button, stored = FORMS[page]
    address = address_of(page, task)
    opened = client.get(address)
    assert client.post(address, sent_by(opened, **{field: first}, **button)).status_code == 302
    refused = client.post(address, sent_by(opened, **{field: second}, **button))
    assert "Other values were stored after you opened this page" in refused.content.decode()
    assert stored() == first
    assert client.post(address, sent_by(refused, **button)).status_code == 302
    assert stored() == second


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", FORMS)
def test_of_two_saves_at_once_the_second_is_refused(client: Client, task: Task, page: str) -> None:
    """The first has stored its values and not committed when the second is sent."""
    field, values, button, stored = FORMS[page]
    address = address_of(page, task)
    opened = client.get(address)
    first, second = (
        partial(client.post, address, sent_by(opened, **{field: value}, **button)) for value in values
    )
    refused = at_once(first, second)
    assert "Other values were stored after you opened this page" in refused.content.decode()
    assert stored() == values[0]


@pytest.mark.django_db(transaction=True)
def test_save_keeps_what_another_form_of_the_row_stores_at_once(client: Client, task: Task) -> None:
    dates, rules = (client.get(address_of(page, task)) for page in ("setup_dates", "setup_runs"))
    answer = at_once(
        partial(
            client.post, address_of("setup_dates", task), sent_by(dates, closes_at="2090-01-02T00:00:00")
        ),
        partial(client.post, address_of("setup_runs", task), sent_by(rules, max_runs="3", act="rules")),
    )
    assert answer.status_code == 302
    task.refresh_from_db()
    assert task.closes_at
    assert (task.max_runs, task.closes_at.year) == (3, 2090)


@pytest.mark.django_db(transaction=True)
def test_of_two_criteria_saved_at_once_the_second_is_refused(client: Client, task: Task) -> None:
    address = address_of("setup_criteria", task)
    rows = {"grade": ["1", "0"], "text": ["", ""], "level": "1", "instructions": "", "act": "save"}
    rows["opened"] = client.get(address).context["opened"]
    refused = at_once(
        *(partial(client.post, address, rows | {"name": [name, "No"]}) for name in ("Yes", "Fits"))
    )
    assert "Other values were stored" in refused.content.decode()
    assert [each["name"] for each in Criteria.objects.get().words] == ["No", "Yes"]


@pytest.mark.parametrize(("act", "lock_count"), [("add", 0), ("remove 0", 0), ("show", 0), ("save", 1)])
def test_only_a_save_of_criteria_locks_the_task(
    client: Client, task: Task, act: str, lock_count: int
) -> None:
    rows = {"grade": ["1", "0"], "name": ["Yes", "No"], "text": ["", ""], "level": "1", "act": act}
    with CaptureQueriesContext(connection) as queries:
        client.post(address_of("setup_criteria", task), rows)
    locks = [each for each in queries.captured_queries if "FOR NO KEY UPDATE" in each["sql"]]
    assert len(locks) == lock_count


def test_row_that_was_deleted_meanwhile_is_not_saved(
    client: Client, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.platform.web.opened_forms.lock_row", lambda _: False)
    opened = client.get(address_of("setup_dates", task))
    refused = client.post(address_of("setup_dates", task), sent_by(opened))
    assert "Somebody deleted this after you opened the page" in refused.content.decode()


def test_second_tab_does_not_overwrite_criteria(client: Client, task: Task) -> None:
    address = address_of("setup_criteria", task)
    opened = client.get(address).context["opened"]
    rows = {"grade": ["1", "0"], "text": ["", ""], "level": "1", "instructions": "", "act": "save"}
    first, second = (rows | {"name": [name, "No"], "opened": opened} for name in ("Yes", "Fits"))
    assert client.post(address, first).status_code == 302
    shown = client.post(address, second | {"act": "show"})
    assert shown.context["opened"] == opened
    refused = client.post(address, second)
    assert "Other values were stored" in refused.content.decode()
    assert [each["name"] for each in Criteria.objects.get().words] == ["No", "Yes"]
    assert client.post(address, second | {"opened": refused.context["opened"]}).status_code == 302
    assert [each["name"] for each in Criteria.objects.get().words] == ["No", "Fits"]
