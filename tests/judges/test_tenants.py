"""Judges, ensembles and prompts belong to a track; no page shows those of another track."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Pool, Track
from judges.catalogue.actions import create_judge
from judges.grades.forms import JobPublishForm
from judges.jobs.calls import Call
from judges.jobs.forms import JobStartForm
from judges.models import Job, JobState, Judge, Prompt
from judges.prompts.actions import create_prompt
from judges.prompts.forms import PromptPreviewForm
from tests.factories import make_organizer, make_pool, make_staff, make_task, make_track
from tests.judges.factories import (
    fitted,
    judged,
    make_generator,
    make_image_pool,
    make_judge,
    published,
    started,
)
from tests.judges.pages.setting import address
from tests.refusals import refused
from trackside.judging.settings import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted", "counting")]

F1 = 0.912345
TEMPLATE = "{image} {fields} of a secret prompt"


def make_ensemble(track: Track, *, name: str = "ensemble") -> Judge:
    """An ensemble with a figure of its track in its settings."""
    return Judge.objects.create(
        track=track, name=name, backend="ensemble", revision=0, model="", model_revision="", dtype="",
        image_size="small", long_text="truncate", decoding={"members": [{"by": {"f1": F1}}]},
        identity_sha256="ab" * 32, task_kinds=["text-to-image"], created_by=make_staff(),
    )  # fmt: skip


def make_prompt(name: str, track: Track | None) -> Prompt:
    template = f"{TEMPLATE} {name}"
    return create_prompt(name=name, template=template, answer="grade-0-2", by=make_staff(), track=track)


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_judges_and_prompts_of_a_track_are_seen_by_its_organizers_and_the_staff(
    pool: Pool, client: Client
) -> None:
    ensemble, prompt = make_ensemble(pool.task.track), make_prompt("fjord", pool.task.track)
    site = make_generator(model="/srv/secret-folder/llava-7b", model_revision="0" * 40)
    theirs = make_task()
    stranger, staff = make_organizer(theirs.track), make_staff()

    for person in (pool.created_by, staff):
        assert set(Judge.objects.visible_to(person)) == {ensemble, site}
        assert prompt in Prompt.objects.visible_to(person)
    assert set(Judge.objects.visible_to(stranger)) == {site}
    assert prompt not in Prompt.objects.visible_to(stranger)
    client.force_login(stranger)
    pages = reverse("judge_passport", args=[theirs.track.slug, theirs.slug, site.pk])
    for page in (pages, f"{pages}passport.json"):
        shown = text(client, page)
        assert "llava-7b" in shown
        for hidden in ("secret-folder", "ensemble", str(F1)):
            assert hidden not in shown.replace("ensembles", "")
    client.force_login(staff)
    assert "secret-folder" in text(client, reverse("admin:judges_judge_change", args=[site.pk]))


def test_forms_offer_the_track_its_own_judges_and_prompts(pool: Pool) -> None:
    mine, theirs, site = make_generator(), make_image_pool(), make_generator()
    for track, name in ((pool.task.track, "mine"), (theirs.task.track, "theirs"), (None, "sites")):
        make_prompt(name, track)
    ensemble = make_ensemble(theirs.task.track)

    offered: Any = JobStartForm(task=pool.task).fields["judge"]
    assert set(offered.queryset) == {mine, site}
    assert ensemble not in offered.queryset
    prompts: Any = PromptPreviewForm(task=pool.task).fields["named"]
    names = " ".join(value for value, _ in prompts.choices)
    assert "mine (version 1)" in names
    assert "sites (version 1)" in names
    assert "theirs" not in names


def test_judge_of_another_track_takes_no_job_and_an_ensemble_has_a_track(pool: Pool) -> None:
    with refused("judge-of-another-track", match="Choose a judge of the track"):
        started(make_ensemble(make_track()), pool)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_ensemble(None)  # type: ignore[arg-type]  # what the database refuses


def test_name_of_another_tracks_judge_is_free(pool: Pool) -> None:
    make_ensemble(pool.task.track, name="fjord")
    given = Settings(backend="imported", revision=0, model="scores.csv", model_revision="0" * 64)
    made = [create_judge(name="fjord", settings=given, by=make_staff(), track=make_track()) for _ in range(2)]
    assert len({judge.identity_sha256 for judge in made}) == 1
    with refused("judge-exists"):
        create_judge(name="fjord", settings=given, by=make_staff(), track=pool.task.track)


def test_mappings_of_a_sites_judge_are_offered_in_their_own_track_those_of_the_pool_first(pool: Pool) -> None:
    judge, later = make_judge(), make_pool(pool.task, pairs=[("T1", "D1"), ("T1", "D2")])
    own, other, _ = (fitted(judged(judge, each)) for each in (pool, later, make_image_pool()))
    job = judge.jobs.get(pool=pool)
    offered: Any = JobPublishForm(job=job, user=pool.created_by).fields["mapping"]
    assert list(offered.queryset) == [own, other]


def test_only_staff_write_prompts_for_the_whole_site(pool: Pool, client: Client) -> None:
    client.force_login(pool.created_by)
    form = {"name": "mine", "template": TEMPLATE, "answer": "grade-0-2", "is_of_site": "on"}
    address = reverse("prompt_create", args=[pool.task.track.slug, pool.task.slug])
    client.post(address, form)
    assert Prompt.objects.get().track == pool.task.track
    client.force_login(make_staff())
    client.post(address, form)
    assert Prompt.objects.filter(track=None).count() == 1


def test_ensemble_of_an_earlier_release_keeps_its_grades_and_takes_no_job(pool: Pool, client: Client) -> None:
    ensemble = make_ensemble(pool.task.track)
    ended = {"state": JobState.COMPLETED, "finished_at": timezone.now()}
    job = Job.objects.create(judge=ensemble, pool=pool, created_by=pool.created_by, **ended)
    for place, (topic, docno) in enumerate(pool.items.values_list("topic", "docno")):
        Call.objects.create(
            job=job,
            topic=topic,
            docno=docno,
            state="done",
            outcome="ok",
            raw_score=place % 3,
            raw_answer="{}",
            ended_at=timezone.now(),
        )

    qrels = published(job, fitted(job))

    assert qrels.provenance["decoding"] == ensemble.decoding
    client.force_login(pool.created_by)
    assert client.get(address("job_detail", pool.task, job)).status_code == 200
    with refused("judge-of-a-file", match="for another pool"):
        started(ensemble, make_pool(pool.task, pairs=[("T1", "D1")]))
    with refused("scores-refused", match="trackside vote"):
        create_judge(name="new", settings=ensemble.settings, by=make_staff(), track=pool.task.track)
