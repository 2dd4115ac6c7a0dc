from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from judges.jobs.forms import JudgeForm
from judges.models import Judge
from tests.factories import make_staff
from tests.judges.factories import make_judge
from trackside.judging.settings import SECTION_FIRST
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_staff())
    return client


def address(model: type[Model], page: str, *keys: int) -> str:
    return reverse(f"admin:judges_{model.__name__.lower()}_{page}", args=keys)


def form_of(folder: Path, **changes: str) -> dict[str, Any]:
    return {
        "name": "clipscore-2021",
        "backend": "clip",
        "model": str(folder),
        "model_revision": "",
        "dtype": "float32",
        "prompt": "A photo depicts ",
        "text_fields": "",
        "image_size": "small",
        "long_text": "truncate",
        "task_kinds": "text-to-image",
    } | changes


def test_admin_makes_a_judge_by_a_preset_and_asks_again_by_a_seed(staff: Client, tiny_clip: Path) -> None:
    chosen = form_of(tiny_clip, name="clip-four-fields-chunk-max", preset="clip-four-fields-chunk-max")
    chosen |= {"task_kinds": ["text-to-image", "image-to-text"]}

    assert staff.post(address(Judge, "add"), chosen).status_code == 302
    staff.post(address(Judge, "add"), chosen | {"name": "again", "seed": "7"})

    made, again = Judge.objects.order_by("pk")
    assert made.identity_sha256 == made.settings.identity_sha256
    assert (len(made.model_revision), made.task_kinds) == (64, ["image-to-text", "text-to-image"])
    assert made.text_fields == list(SECTION_FIRST)
    assert (made.prompt, made.long_text, made.seed) == ("", "chunk-max", 0)
    assert again.settings == replace(made.settings, seed=7)


def test_admin_makes_a_judge_of_an_endpoint_with_a_named_prompt(staff: Client) -> None:
    form = form_of(Path("gpt-4o-2024-11-20"), backend="openai_chat", decoding='{"max_tokens": 16}', prompt="")
    named = {"named_prompt": f"{BUILT_IN[0].name} (version 1)", "endpoint": "https://api.openai.com/v1"}

    assert staff.post(address(Judge, "add"), form | named).status_code == 302
    judge = Judge.objects.get()
    assert (judge.prompt, judge.answer) == (BUILT_IN[0].template, BUILT_IN[0].answer)
    assert judge.decoding == {"max_tokens": 16, "temperature": 0}
    assert judge.model_revision == "gpt-4o-2024-11-20"


def test_admin_gives_the_reason_a_judge_cannot_be_made(staff: Client, tiny_clip: Path) -> None:
    hub = staff.post(address(Judge, "add"), form_of(tiny_clip, model="openai/clip", model_revision="main"))
    staff.post(address(Judge, "add"), form_of(tiny_clip))
    twin = staff.post(address(Judge, "add"), form_of(tiny_clip, name="another-name"))

    assert "40 hexadecimal digits" in hub.content.decode()
    assert "the same settings" in twin.content.decode()
    assert Judge.objects.count() == 1


@pytest.mark.parametrize(
    "decoding",
    [
        '{"max_tokens": ' + "9" * 5000 + "}",
        '{"x": ' * 2000 + "1" + "}" * 2000,
        '{"x": "\\u0000"}',
        '{"x": NaN}',
    ],
)
def test_settings_of_decoding_that_cannot_be_stored_are_refused(decoding: str) -> None:
    with pytest.raises(ValidationError):
        JudgeForm().fields["decoding"].clean(decoding)


def test_admin_retires_a_judge(staff: Client) -> None:
    judge = make_judge()

    staff.post(address(Judge, "changelist"), {"action": "retire", "_selected_action": [judge.pk]})

    assert not Judge.objects.in_use().exists()
