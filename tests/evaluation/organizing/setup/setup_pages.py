"""The pages that set up a task, and who opens them."""

from io import BytesIO

from django.test import Client
from django.urls import reverse
from PIL import Image as Picture

from evaluation.models import Task, User
from evaluation.organizing.setup.steps import Stage, checklist


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def address(task: Task, step: str) -> str:
    return reverse(f"setup_{step}", args=[task.track.slug, task.slug])


def needs(task: Task, stage: Stage) -> list[str]:
    return [need.text for need in checklist(Task.objects.get(pk=task.pk)) if need.stage == stage]


def picture() -> bytes:
    with BytesIO() as file:
        Picture.new("RGB", (64, 48), (1, 2, 3)).save(file, "PNG")
        return file.getvalue()
