"""Documents alike: by the vectors of a job's encoder, for those who may see what was pooled."""

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from evaluation.models import Document, Phase, Task, User
from judges.jobs.embeddings import MOST, Embedding, nearest, pool_likeness
from judges.jobs.starting import start_job
from judges.models import Job
from tests.factories import dates_of, make_assessor, make_organizer, make_team, make_team_member
from tests.judges.factories import make_image_pool, make_judge, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def make_compared(count: int) -> Job:
    """A completed job on one topic and ``count`` pictures."""
    pool = make_image_pool(topic_count=1, image_count=count)
    return run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))


def test_nearest_are_those_of_the_largest_cosine() -> None:
    """Unit vectors at 0, 10, 20 ... degrees: D3 at 20 is 10 from D2 and D4, 20 from D1 and D5, 30 from D6."""
    job = make_compared(6)
    calls = job.calls.of_pool().values_list("docno", "document_input")
    Embedding.objects.filter(input_sha256__in=[sha256 for _, sha256 in calls]).delete()
    for docno, sha256 in calls:
        angle = np.deg2rad(10 * (int(docno[1:]) - 1))
        vector = np.array([np.cos(angle), np.sin(angle)], "<f4")
        Embedding.objects.create(
            encoder_sha256=job.judge.settings.encoder_sha256, input_sha256=sha256, vector=vector.tobytes()
        )
    found = nearest(job, "D3")
    assert [set(found[:2]), set(found[2:4]), found[4:]] == [{"D2", "D4"}, {"D1", "D5"}, ["D6"]]
    assert nearest(job, "D99") == []


def test_a_page_shows_the_nearest_twelve() -> None:
    job = make_compared(MOST + 3)
    task = Task.objects.get()
    client = Client()
    client.force_login(make_organizer(task.track))
    document = Document.objects.get(docno="D1")
    names = [task.track.slug, task.slug]
    page = client.get(reverse("document_detail", args=[*names, document.pk])).content.decode()
    address = f"{reverse('document_list', args=names)}?like={document.pk}"
    assert f'href="{address}"' in page
    assert [hit.docno for hit, _ in client.get(address).context["alike"]] == nearest(job, "D1")
    for key in ("0", "x", "9" * 30):
        assert client.get(f"{reverse('document_list', args=names)}?like={key}").status_code == 404


def test_only_organizers_see_before_the_release_what_was_pooled() -> None:
    make_compared(2)
    task = Task.objects.get()
    member = make_team_member(make_team(task.track))
    readers: list[User | AnonymousUser] = [make_organizer(task.track), member, AnonymousUser()]
    for phase, shown in ((Phase.JUDGING, [True, False, False]), (Phase.RELEASED, [True, True, True])):
        Task.objects.update(**dates_of(phase))
        found = Task.objects.with_phase().get()
        assert [pool_likeness(found, reader) is not None for reader in readers] == shown
    Task.objects.update(**dates_of(Phase.JUDGING))
    client = Client()
    document = Document.objects.get(docno="D1")
    address = f"{reverse('document_list', args=[task.track.slug, task.slug])}?like={document.pk}"
    for person in (member, make_assessor(task.track)):
        client.force_login(person)
        assert client.get(address).status_code == 404
