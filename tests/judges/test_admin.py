from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool
from judges.models import Judge
from tests.factories import make_staff
from tests.judges.factories import make_image_pool, make_judge
from trackside.judging.presets import SECTION_FIRST

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_staff())
    return client


def address(model: type[Model], page: str, *keys: int) -> str:
    return reverse(f"admin:judges_{model.__name__.lower()}_{page}", args=keys)


def act(client: Client, model: type[Model], action: str, *rows: Any) -> str:
    """Choose the rows and the action in the list; the page that follows, with its messages."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(address(model, "changelist"), chosen, follow=True).content.decode()


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


def test_admin_adds_a_judge_with_its_revisions_and_task_kinds(staff: Client, tiny_clip: Path) -> None:
    kinds = {"task_kinds": ["text-to-image", "image-to-text"]}
    response = staff.post(address(Judge, "add"), form_of(tiny_clip) | kinds)

    judge = Judge.objects.get()
    assert response.status_code == 302
    assert judge.identity_sha256 == judge.settings.identity_sha256
    assert len(judge.model_revision) == 64
    assert judge.task_kinds == ["image-to-text", "text-to-image"]


def test_admin_makes_a_judge_by_a_preset_and_asks_again_by_a_seed(staff: Client, tiny_clip: Path) -> None:
    chosen = form_of(tiny_clip, name="clip-four-fields-chunk-max", preset="clip-four-fields-chunk-max")

    staff.post(address(Judge, "add"), chosen)
    staff.post(address(Judge, "add"), chosen | {"name": "again", "seed": "7"})

    made, again = Judge.objects.order_by("pk")
    assert made.text_fields == list(SECTION_FIRST)
    assert (made.prompt, made.long_text, made.seed) == ("", "chunk-max", 0)
    assert again.settings == replace(made.settings, seed=7)


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
def test_admin_refuses_settings_of_decoding_that_cannot_be_stored(
    staff: Client, tiny_clip: Path, decoding: str
) -> None:
    answer = staff.post(address(Judge, "add"), form_of(tiny_clip, decoding=decoding))
    assert list(answer.context["adminform"].form.errors) == ["decoding"]
    assert not Judge.objects.exists()


def test_admin_retires_a_judge(staff: Client) -> None:
    judge = make_judge()

    act(staff, Judge, "retire", judge)

    assert not Judge.objects.in_use().exists()
