"""No address or form of the admin answers 5xx to odd values, and none takes a second."""

import time
from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import quote
from django.db import transaction
from django.db.models import Field, Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import reverse

from assessment.models import Judgment
from evaluation.models import Phase, Task, Topic
from tests.marks import quick_only
from tests.permissions.own_rows import own_rows as own_rows  # a fixture
from tests.whole_site import WholeSite

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

SLOW = 1.0  # seconds of the processor
HUGE = str(10**30)  # no bigint
# No number, key, date or JSON; a text that PostgreSQL does not store; texts that take long to search for.
VALUES = ("x", HUGE, "9999-12-31", "{", "\0", "-1", "\u0663", "9" * 5000, "a b " * 1000, '"' * 999)
FEW = VALUES[:5]  # for pages of every model
NO_FILTERS = ("e", "p", "o", "q", "all", "_facets", "_popup", "_to_field", "_changelist_filters")


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    whole_site.enter(Phase.JUDGING)
    return whole_site


@pytest.fixture
def staff(site: WholeSite) -> Client:
    return site.client("staff")


def list_of(model: type[Model], page: str = "changelist", *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def check(client: Client, address: str, sent: dict[str, Any], method: str = "GET") -> HttpResponseBase:
    """Send the request, undo it, and check status and time."""
    with transaction.atomic():
        began = time.process_time()
        answer = client.get(address, sent) if method == "GET" else client.post(address, sent)
        seconds = time.process_time() - began
        transaction.set_rollback(True)
    assert answer.status_code in (200, 302, 400, 403, 404, 405), f"{address} {str(sent)[:200]}"
    assert seconds < SLOW, f"{address} {str(sent)[:200]}: {seconds:.1f} s"
    return answer


def fields_of(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.concrete_fields)


def lookups_of(model: type[Model]) -> Iterator[str]:
    """Each column and each of its lookups; through a foreign key, those of the related table's columns."""
    for field in fields_of(model):
        yield from (field.name, *(f"{field.name}__{lookup}" for lookup in field.get_lookups()))
        if field.related_model:
            for other in fields_of(field.related_model):
                yield f"{field.name}__{other.name}"
                yield from (f"{field.name}__{other.name}__{lookup}" for lookup in other.get_lookups())


def offered_by(model: type[Model]) -> set[str]:
    """The names that the list's filters may put into addresses; a filter with one choice is not shown."""
    names: set[str] = set()
    for each in cast("list[Any]", admin.site.get_model_admin(model).list_filter):
        if isinstance(each, type):
            names.add(str(cast("type[admin.SimpleListFilter]", each).parameter_name))
        else:
            path = each if isinstance(each, str) else each[0]
            names |= {path} | {f"{path}__{way}" for way in ("exact", "id__exact", "isnull", "isempty")}
    return names


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_lists_take_no_lookup_but_those_of_their_filters(
    site: WholeSite, rf: RequestFactory, model: type[Model]
) -> None:
    def request(**sent: str) -> HttpRequest:
        made = rf.get("/", sent)
        made.user = site.signed_in("staff")
        return made

    model_admin = admin.site.get_model_admin(model)
    for lookup in lookups_of(model):
        if lookup not in offered_by(model):
            with pytest.raises((DisallowedModelAdminLookup, IncorrectLookupParameters)):
                model_admin.get_changelist_instance(request(**{lookup: "x"}))


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_filters_answer_odd_values(staff: Client, model: type[Model]) -> None:
    for name in offered_by(model):
        for value in FEW:
            check(staff, list_of(model), {"_facets": "1", name: value})


@pytest.mark.parametrize("model", [Task, Topic, Judgment], ids=lambda model: model.__name__)
def test_lists_answer_odd_values_of_everything_else(staff: Client, model: type[Model]) -> None:
    for name in NO_FILTERS:
        for value in VALUES:
            check(staff, list_of(model), {name: value})


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [
        ("9999", "", ""),
        ("9999", "12", ""),
        ("9999", "12", "31"),
        ("1", "1", "1"),
        ("2026", HUGE, ""),
        ("2026", "2", "31"),
        ("2026", "", "5"),
        ("", "5", "5"),
        ("2026", "5", HUGE),
        (HUGE, "1", "1"),
    ],
)
def test_hierarchy_of_dates_answers_dates_that_no_calendar_has(
    staff: Client, year: str, month: str, day: str
) -> None:
    for name in ("judgment", "remark"):
        field = "judged_at" if name == "judgment" else "made_at"
        sent = {f"{field}__year": year, f"{field}__month": month, f"{field}__day": day}
        address = reverse(f"admin:assessment_{name}_changelist")
        check(staff, address, {key: value for key, value in sent.items() if value})


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_pages_of_rows_answer_odd_keys(staff: Client, model: type[Model]) -> None:
    for value in FEW:
        for page in ("change", "history", "delete"):
            check(staff, list_of(model, page, quote(value)), {"_to_field": "id"})
        check(staff, list_of(model, "change", quote(value)), {}, "POST")


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_forms_answer_odd_values_of_every_field(
    staff: Client, own_rows: dict[str, Model], model: type[Model]
) -> None:
    form = getattr(staff.get(list_of(model, "add")), "context", None)
    own = list_of(model, "change", quote(own_rows[model._meta.label_lower].pk))
    names = [field.name for field in fields_of(model)]
    names += list(form["adminform"].form.fields) if form and "adminform" in form else []
    for value in FEW:
        parts = {f"{name}_{part}": value for name in names for part in (0, 1)}  # date and time
        for address in (list_of(model, "add"), own):
            check(staff, address, dict.fromkeys(names, value) | parts, "POST")


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_actions_answer_odd_values(staff: Client, own_rows: dict[str, Model], model: type[Model]) -> None:
    key = own_rows[model._meta.label_lower].pk
    known = list(admin.site.get_model_admin(model).get_action_choices(staff.get(list_of(model)).wsgi_request))
    for value in FEW:
        for sent in (
            {"action": value, "_selected_action": key},
            *({"action": action, "_selected_action": value} for action, _ in known),
            {"action": "delete_selected", "_selected_action": key, "index": value, "select_across": value},
            {"_save": "1", "form-TOTAL_FORMS": value, "form-INITIAL_FORMS": value, "form-0-id": value},
        ):
            check(staff, list_of(model), sent, "POST")


@pytest.mark.parametrize("value", [*VALUES, "evaluation"], ids=lambda value: value[:12])
def test_other_pages_answer_odd_values(staff: Client, value: str) -> None:
    sent = dict.fromkeys(("app_label", "model_name", "field_name", "term", "page", "next"), value)
    for page in ("index", "jsi18n", "login", "password_change", "logout"):
        for method in ("GET", "POST"):
            if (page, method) != ("logout", "POST"):
                check(staff, reverse(f"admin:{page}"), sent, method)


def test_search_takes_the_first_words(staff: Client) -> None:
    def found(words: str) -> int:
        return len(staff.get("/admin/evaluation/task/", {"q": words}).context["cl"].result_list)

    name = Task.objects.first().name  # type: ignore[union-attr]
    assert found(f"{name} nowhere") == 0
    assert found(f"{name} " * 20 + "nowhere") == found(name) > 0


@pytest.mark.parametrize("page", quick_only(["autocomplete/", "r/1/1/"], quick=[]))
def test_pages_that_no_form_uses_are_absent(staff: Client, page: str) -> None:
    assert staff.get(f"/admin/{page}").status_code == 404
