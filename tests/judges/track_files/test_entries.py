"""Judges in a track file: created, or refused with the keys of their faults."""

from typing import Any

import pytest

from evaluation.models import Task, User
from judges.models import Judge
from judges.prompts.actions import create_prompt
from tests.documents.markdown import document
from tests.judges.track_files.judge_files import (
    ASKED,
    CHAT,
    CLIP,
    COMMIT,
    created,
    faults,
    file_of,
    of_the_site,
)
from trackside.backends.clip.encoder import ClipEncoder
from trackside.judging.settings import CLIP_PRESETS, Settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


def test_file_creates_judges_of_the_track(staff: User) -> None:
    track = created(file_of(CLIP, CHAT), staff)
    asked, clip = Judge.objects.order_by("name")
    assert {asked.track, clip.track} == {track}
    assert {asked.created_by, clip.created_by} == {staff}
    preset = CLIP_PRESETS["clip-four-fields"].choices
    settings = Settings(backend="clip", revision=0, model="a/clip", model_revision=COMMIT, **preset)
    assert clip.settings == ClipEncoder.pinned(settings)  # as of the judge that the page creates
    assert (asked.backend, asked.prompt, asked.answer) == ("openai_chat", ASKED.template, ASKED.answer)
    assert asked.decoding == {"max_tokens": 24, "temperature": 0}
    assert asked.endpoint == "https://api.openai.com/v1"


def test_example_of_the_document_creates_judges(staff: User) -> None:
    text = document("docs/judges.md").text
    example = text.split("```toml\n")[1].split("```")[0]
    assert faults(f"{file_of()}\n{example}", staff) == []
    assert Judge.objects.count() == 2


def test_settings_of_an_entry_without_a_preset_are_stored(staff: User) -> None:
    entry = {
        "name": "own", "backend": "clip", "model": "a/clip", "model_revision": COMMIT, "dtype": "half",
        "prompt": "A photo depicts ", "text_fields": ["page_title"], "image_size": "original",
        "long_text": "by-fields", "seed": 7, "task_kinds": ["text-to-image"],
    }  # fmt: skip
    assert faults(file_of(entry), staff) == []
    judge = Judge.objects.get()
    stored = {name: getattr(judge, name) for name in entry}
    assert stored == entry


def test_prompt_of_the_site_is_a_preset(task: Task, staff: User) -> None:
    template = "{image} {fields}\nRelevance?"
    create_prompt(name="ours", template=template, answer="grade-0-2", by=staff)
    assert faults(file_of(CHAT | {"preset": "ours (version 1)"}), staff) == []
    assert (Judge.objects.get().prompt, Judge.objects.get().answer) == (template, "grade-0-2")
    create_prompt(name="theirs", template=template, answer="grade-0-2", by=staff, track=task.track)
    entry = CHAT | {"preset": f"theirs (version 1) of {task.track}"}
    (fault,) = faults(file_of(entry), staff)  # a new track does not have it
    assert fault.startswith("judges 1 preset: Choose one of clip-four-fields")


def test_short_entry_names_the_judge_of_the_site(staff: User) -> None:
    """Revisions and defaults that creation filled in may be missing from the file."""
    hub = {name: value for name, value in CLIP.items() if name != "model_revision"}
    for entry, short in ((CHAT, CHAT), (CLIP, hub)):
        of_the_site(entry, staff)
        track = created(file_of(short), staff)
        assert not Judge.objects.filter(track=track).exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", "another/clip"),
        ("model_revision", COMMIT[::-1]),
        ("preset", "clip-context-only"),
        ("dtype", "half"),
        ("image_size", "original"),
        ("seed", 3),
        ("backend_revision", 99),
        ("task_kinds", ["text-to-image"]),
    ],
)
def test_entry_with_other_settings_needs_another_name(staff: User, key: str, value: object) -> None:
    of_the_site(CLIP, staff)
    (fault,) = faults(file_of(CLIP | {key: value}), staff)
    name = "text_fields" if key == "preset" else key
    assert fault == (
        f"judges 1 {name}: The judge clip-large has another {name}. A judge never changes: "
        "choose another name."
    )


@pytest.mark.parametrize(
    ("changes", "where", "what"),
    [
        ({"name": "a b"}, "judges 1 name", "Enter a valid “slug”"),
        ({"name": ""}, "judges 1 name", "This field cannot be blank"),
        ({"preset": "clip"}, "judges 1 preset", "Choose one of clip-four-fields"),
        ({"preset": ""}, "judges 1 backend", "Choose one of clip, llava, openai_batch"),
        ({"backend": "llava"}, "judges 1 backend", "The preset is for another backend."),
        ({"long_text": "truncate"}, "judges 1 long_text", "The preset has its own."),
        ({"model": ""}, "judges 1 model", "String should have at least 1"),
        ({"model_revision": "main"}, "judges 1", '"a/clip" is not a folder on this server.'),
        ({"model_revision": "f" * 65}, "judges 1 model_revision", "Ensure this value"),
        ({"backend_revision": 99}, "judges 1 backend_revision", "On this site clip has revision"),
        ({"dtype": "int8"}, "judges 1", 'clip, dtype: "int8" is not offered.'),
        ({"image_size": "tiny"}, "judges 1 image_size", "String should match pattern"),
        ({"decoding": {"a": 1}}, "judges 1", "clip, decoding"),
        ({"decoding": {"a": float("nan")}}, "judges 1 decoding", "This cannot be stored"),
        ({"seed": -1}, "judges 1 seed", "Input should be greater than or equal to 0"),
        ({"endpoint": "https://a/v1"}, "judges 1 endpoint", "The worker loads the model of clip"),
        ({"answer": "words"}, "judges 1 answer", "Choose one of "),
        ({"task_kinds": ["audio"]}, "judges 1 task_kinds", "Item 1 in the array"),
        ({"tracks": 1}, "judges 1 tracks", "no such key belongs here"),
    ],
)  # fmt: skip
def test_wrong_entry_is_a_fault_with_its_key(
    staff: User, changes: dict[str, Any], where: str, what: str
) -> None:
    (fault,) = faults(file_of(CLIP | changes), staff)
    assert fault.startswith(f"{where}: {what}")
    assert not Judge.objects.exists()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"endpoint": ""}, "openai_chat needs a base URL"),
        ({"endpoint": "ftp://a"}, "is no base URL"),
        ({"endpoint": "https://me:secret@a/v1"}, "Remove password and parameters"),
        ({"endpoint": "https://a/v1?api-key=secret"}, "Remove password and parameters"),
        ({"endpoint": "https://[a/v1"}, "Remove password and parameters"),
        ({"model": "gpt-4o"}, '"gpt-4o" is not a fixed version.'),
        ({"decoding": {"max_tokens": "many"}}, '"max_tokens": "many" cannot be sent.'),
        ({"image_size": "draft"}, 'openai_chat sends no images of the size "draft"'),
        ({"backend": "clip"}, "The preset is for another backend."),
        ({"backend": "imported"}, "Choose one of clip, llava, openai_batch"),
    ],
)
def test_wrong_entry_of_an_endpoint_is_a_fault(staff: User, changes: dict[str, Any], what: str) -> None:
    (fault,) = faults(file_of(CHAT | changes), staff)
    assert what in fault
    assert "secret" not in fault
    assert not Judge.objects.exists()


def test_file_names_each_judge_once_and_no_settings_of_another(staff: User) -> None:
    (fault,) = faults(file_of(CLIP, CLIP), staff)
    assert fault == "judges 2 name: “clip-large” is named twice. Keep one entry."
    (fault,) = faults(file_of(CLIP, CLIP | {"name": "b"}), staff)
    assert fault.startswith('judges 2: The judge "clip-large" has this name or the same settings.')
    (fault,) = faults(file_of(*(CLIP | {"seed": seed} for seed in range(51))), staff)
    assert "at most 50 items" in fault
