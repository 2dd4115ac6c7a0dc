"""The forms of grades offer qrels, judges and pools of their own task only."""

from typing import Any

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings

from evaluation.models import QrelsKind
from judges.grades.forms import MappingForm, ScoresImportForm
from tests.factories import make_pool, make_qrels, make_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def offered(form: forms.Form, name: str) -> list[Any]:
    field: Any = form.fields[name]
    return list(field.queryset)


def test_qrels_are_the_latest_ones_of_people() -> None:
    task, other = make_task(), make_task()
    make_qrels(task, name="people")
    people = make_qrels(task, name="people", version=2)
    make_qrels(task, name="second", kind=QrelsKind.SECOND)
    make_qrels(task, name="judge", kind=QrelsKind.MODEL)
    make_qrels(other, name="people")
    assert offered(MappingForm(task=task, scale=(0, 1, 2)), "people") == [people]


@pytest.mark.parametrize(("size", "is_valid"), [(4, True), (5, False)])
def test_file_of_scores_is_for_a_pool_of_the_task_and_of_limited_size(
    size: int, is_valid: bool, settings: Settings
) -> None:
    settings.MAX_UPLOAD_BYTES = 4
    task = make_task()
    first, last = make_pool(task), make_pool(task)
    make_pool(make_task())
    given = {"name": "theirs", "pool": first.pk}
    form = ScoresImportForm(given, {"file": SimpleUploadedFile("a.csv", b"x" * size)}, task=task)
    assert offered(form, "pool") == [last, first]
    assert form.is_valid() is is_valid
