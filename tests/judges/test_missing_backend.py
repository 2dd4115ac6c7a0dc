"""A site without the package of a judge: its jobs wait, and everything else continues."""

import pytest
from django.test import Client
from django.urls import reverse

from judges import registry
from judges.jobs.running import run_shard
from judges.jobs.scheduling import resume_job
from judges.jobs.starting import start_job
from judges.models import JobState
from tests.judges.factories import make_image_pool, make_judge, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def test_job_waits_for_its_backend_and_continues_with_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_image_pool()
    person = pool.created_by
    job = start_job(judge=make_judge(), pool=pool, by=person)
    page = reverse("job_detail", args=[pool.task.track.slug, pool.task.slug, job.pk])
    client.force_login(person)

    with monkeypatch.context() as without:
        without.delitem(registry.BACKENDS, "counting")
        assert client.get(page).status_code == 200
        run_shard(shard_id=job.shards.open()[0].pk)
        job.refresh_from_db()
        assert job.state == JobState.PAUSED
        assert 'There is no backend "counting"' in job.note
        assert "One that is missing may be in a package" in client.get(page).content.decode()

    resume_job(job=job, by=person)
    run_to_end(job)
    job.refresh_from_db()
    assert job.state == JobState.COMPLETED
    with monkeypatch.context() as without:
        without.delitem(registry.BACKENDS, "counting")
        assert client.get(page).status_code == 200
