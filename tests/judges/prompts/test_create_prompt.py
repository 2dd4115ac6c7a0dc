import pytest
from django.db import DatabaseError, transaction

from judges.models import Prompt
from judges.prompts.actions import create_prompt
from tests.factories import make_staff
from tests.judges.factories import make_generator
from tests.refusals import refused
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = pytest.mark.django_db


def make_prompt(
    name: str = "mine", template: str = "{fields} {image}", answer: str = "grade-0-2", source: str = ""
) -> Prompt:
    return create_prompt(name=name, template=template, answer=answer, source=source, by=make_staff())


def test_create_prompt_keeps_the_source_and_the_hash_of_the_text() -> None:
    made = make_prompt(template="Look:\r\n{fields}\r\n{image}", source=" https://example.org/prompt ")

    # printf 'Look:\n{fields}\n{image}' | sha256sum
    assert made.text_sha256 == "3d1585977d12819c11f9083d568e07546de0b49ca90273d5d4fe58cff52adb9c"
    assert (made.template, made.source) == ("Look:\n{fields}\n{image}", "https://example.org/prompt")


@pytest.mark.usefixtures("scripted")
def test_create_prompt_stores_a_text_again_to_name_its_source() -> None:
    make_prompt()
    second = make_prompt(source="Smith (2025), appendix A")

    assert second.version == 2
    with refused("prompt-exists"):
        make_prompt(source="Smith (2025), appendix A")
    with refused("prompt-exists"):
        make_prompt()
    with refused("prompt-exists"):
        make_prompt(BUILT_IN[0].name, BUILT_IN[0].template, BUILT_IN[0].answer)
    assert second.sha256 == second.core.sha256
    judge = make_generator(prompt=second.template, answer=second.answer)
    assert Prompt.objects.of(judge) == second.core


def test_create_prompt_counts_versions_of_a_name() -> None:
    assert [make_prompt(template=f"{words} {{fields}} {{image}}").version for words in "ab"] == [1, 2]
    assert make_prompt(name="other").version == 1
    assert make_prompt(name=BUILT_IN[0].name).version == 2


def test_create_prompt_refuses_what_cannot_be_filled_in() -> None:
    with refused("prompt-refused"):
        make_prompt(template="How relevant is it?")


def test_prompt_cannot_be_changed_in_the_database() -> None:
    made = make_prompt()

    with pytest.raises(DatabaseError, match="prompts_are_immutable"), transaction.atomic():
        Prompt.objects.filter(pk=made.pk).update(template="{image} {fields}")
