from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from judges.actions.create_prompt import PromptExists, create_prompt
from judges.core.prompts import BUILT_IN, PromptRefused
from judges.models import Prompt
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


def make_prompt(name: str = "mine", template: str = "{fields} {image}", answer: str = "grade-0-2") -> Prompt:
    return create_prompt(name=name, template=template, answer=answer, by=make_staff())


def test_create_prompt_counts_versions_of_a_name() -> None:
    assert [make_prompt(template=f"{words} {{fields}} {{image}}").version for words in "ab"] == [1, 2]
    assert make_prompt(name="other").version == 1


def test_create_prompt_counts_on_from_the_built_in_version() -> None:
    assert make_prompt(name=BUILT_IN[0].name).version == 2


def test_create_prompt_stores_no_text_twice_under_a_name() -> None:
    made = make_prompt()
    with pytest.raises(PromptExists):
        make_prompt()
    with pytest.raises(PromptExists):
        make_prompt(BUILT_IN[0].name, BUILT_IN[0].template, BUILT_IN[0].answer)
    assert made.sha256 == made.core.sha256


def test_create_prompt_refuses_what_cannot_be_filled_in() -> None:
    with pytest.raises(PromptRefused):
        make_prompt(template="How relevant is it?")


def test_prompt_cannot_be_changed_in_the_database() -> None:
    made = make_prompt()

    with pytest.raises(DatabaseError, match="prompts_are_immutable"), transaction.atomic():
        Prompt.objects.filter(pk=made.pk).update(template="{image} {fields}")
