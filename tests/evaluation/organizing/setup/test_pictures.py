"""Pictures of guidelines: who sees them, and which of them stand on the front pages."""

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from evaluation.models import Task
from tests.evaluation.organizing.setup.setup_pages import address, picture

pytestmark = pytest.mark.django_db


def test_pictures_of_guidelines_are_seen_by_readers_of_the_task(organizer: Client, task: Task) -> None:
    url = address(task, "guidelines")
    organizer.post(url, {"act": "picture", "name": "Example", "picture": ContentFile(picture(), "a.png")})
    shown = task.pictures.get()
    source = reverse("image", args=[shown.image_id, "display"])
    organizer.post(url, {"guidelines": f"![Example]({source}) ![Else](https://else.example/a.png)"})
    assert f'<img src="{source}" alt="Example">' in organizer.get(url).content.decode()
    assert Client().get(source).status_code == 404
    Task.objects.update(opens_at="2020-01-01T00:00Z")
    assert b"".join(Client().get(source)).startswith(b"RIFF")
    page = Client().get(reverse("task_detail", args=[task.track.slug, task.slug])).content.decode()
    assert source in page
    assert "else.example" not in page
    taken = organizer.post(
        url, {"act": "picture", "name": "example", "picture": ContentFile(picture(), "a.png")}
    )
    assert "Choose another name" in taken.content.decode()
    organizer.post(reverse("row_remove", args=[task.track.slug, "picture", shown.pk]))
    assert Client().get(source).status_code == 404


def test_pictures_with_a_credit_stand_on_the_front_pages_from_the_opening(
    organizer: Client, task: Task
) -> None:
    url = address(task, "guidelines")
    for name, credit in (("Plain", ""), ("A heron", "Jane Doe, CC BY 4.0")):
        sent = {"act": "picture", "name": name, "picture": ContentFile(picture(), "a.png"), "credit": credit}
        assert organizer.post(url, sent).status_code == 302
    heron = task.pictures.get(name="A heron")
    source = reverse("image", args=[heron.image_id, "thumbnail"])
    fronts = ["/", reverse("track_detail", args=[task.track.slug])]
    assert all("A heron" in organizer.get(each).content.decode() for each in fronts)
    assert "A heron" not in Client().get("/").content.decode()
    Task.objects.update(opens_at="2020-01-01T00:00Z")
    for front in fronts:
        page = Client().get(front).content.decode()
        assert (source in page, "Jane Doe, CC BY 4.0" in page, "Plain" in page) == (True, True, False)
    assert b"".join(Client().get(source)).startswith(b"RIFF")
    heron.delete()
    assert all("A heron" not in Client().get(each).content.decode() for each in fronts)


def test_picture_that_is_too_large_is_refused_unread(
    organizer: Client, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.collections.storing.FORM_BYTES", 100)
    sent = {"act": "picture", "name": "Example", "picture": ContentFile(b"a" * 101, "a.png")}
    answer = organizer.post(address(task, "guidelines"), sent)
    assert "The file has 101 bytes; at most 100 are allowed." in answer.content.decode()
    assert not task.pictures.exists()
