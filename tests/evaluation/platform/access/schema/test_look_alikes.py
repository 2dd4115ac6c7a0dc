"""Names of collections, families and pictures are visible, and those that look alike are one name."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from evaluation.models import Collection, Family, Phase, Picture, Task, TaskKind
from evaluation.tracks.actions import begin_task, free_collection_name
from tests.evaluation.organizing.setup.setup_pages import picture
from tests.factories import dates_of, make_image, make_organizer, make_task

pytestmark = pytest.mark.django_db

# Another digit, full width, Cyrillic, and capitals.
ALIKE = ["Kestre1", "Ｋｅｓｔｒｅｌ", "Кestrеl", "KESTREL"]
HIDDEN = ["\u200b", "Kest\u200brel", "a\u202eb", "Kestrel\u2066"]  # zero-width and bidi characters


def rows(task: Task) -> list[tuple[type[Model], dict[str, object]]]:
    return [
        (Collection, {"track": task.track}),
        (Family, {"task": task}),
        (Picture, {"task": task, "image": make_image()}),
    ]


@pytest.mark.parametrize("name", ALIKE)
def test_names_that_look_alike_are_refused(name: str, client: Client) -> None:
    task = make_task()
    for model, values in rows(task):
        model._default_manager.create(name="Kestrel", **values)
        with pytest.raises(ValidationError, match="taken, or looks like one that is"):
            model(name=name, **values).full_clean()
        with pytest.raises(IntegrityError, match="_name_once_a_"), transaction.atomic():
            model._default_manager.create(name=name, **values)
        model(name="Kestrels", **values).full_clean()
    other = make_task()
    for model, values in rows(other):
        model._default_manager.create(name=name, **values)
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.DRAFT))
    client.force_login(make_organizer(task.track))
    place = [task.track.slug, task.slug]
    page = client.post(reverse("setup_collection", args=place), {"name": name})
    assert "The track has a collection Kestrel." in page.content.decode()
    sent = {"act": "picture", "name": name, "picture": ContentFile(picture(), "a.png")}
    page = client.post(reverse("setup_guidelines", args=place), sent)
    assert "Choose another name" in page.content.decode()
    assert (task.track.collections.filter(name=name).count(), task.pictures.count()) == (0, 1)


@pytest.mark.parametrize("name", HIDDEN)
def test_names_with_invisible_characters_are_refused(name: str, client: Client) -> None:
    task = make_task(phase=Phase.DRAFT)
    for model, values in rows(task):
        with pytest.raises(ValidationError, match="is invisible"):
            model(name=name, **values).full_clean()
        with pytest.raises(IntegrityError, match="_name_is_visible"), transaction.atomic():
            model._default_manager.create(name=name, **values)
    client.force_login(make_organizer(task.track))
    place = [task.track.slug, task.slug]
    sent: list[tuple[str, dict[str, object]]] = [
        ("setup_collection", {"name": name}),
        ("setup_runs", {"act": "family", "name": name}),
        ("setup_guidelines", {"act": "picture", "name": name, "picture": ContentFile(picture(), "a.png")}),
    ]
    for page, form in sent:
        assert "is invisible" in client.post(reverse(page, args=place), form).content.decode()
    assert (Family.objects.count(), Picture.objects.count(), Collection.objects.count()) == (0, 0, 1)


def test_collection_of_a_new_task_gets_a_name_that_no_other_looks_like() -> None:
    track = make_task().track
    Collection.objects.create(track=track, name="Kestrel")
    assert free_collection_name(track, "Kestre1") == "Kestre1 2"
    made = begin_task(track=track, name="Кestrel", slug="k", kind=TaskKind.TEXT_TO_IMAGE)
    assert made.collection.name == "Кestrel 2"


def test_migration_numbers_the_later_of_two_names_that_look_alike() -> None:
    task = make_task()
    for number, name in enumerate(["Kestrel", "Kestre1", "KestreI", "Owl"]):
        row = Family.objects.create(task=task, name=f"f{number}")
        Family.objects.filter(pk=row.pk).update(name=name)
    import_module("evaluation.migrations.0002_look_alike_names").fold_names(apps, None)
    found = list(Family.objects.order_by("pk").values_list("name", "name_folded"))
    assert found == [
        ("Kestrel", "kestrel"),
        ("Kestre1 (2)", "kestrel (2)"),
        ("KestreI (3)", "kestrel (3)"),
        ("Owl", "owl"),
    ]
    marked = import_module("evaluation.migrations.0006_visible_names").marked
    assert marked("a\u202eb\u200b") == "a\ufffdb\ufffd"
