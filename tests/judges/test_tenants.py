"""Judges, ensembles and prompts belong to a track; no page shows those of another track."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool, Track
from judges.catalogue.actions import create_judge
from judges.grades.forms import JobPublishForm
from judges.grades.publishing import fit_mapping
from judges.jobs.estimates import estimate_job
from judges.jobs.forms import JobStartForm
from judges.jobs.starting import start_job
from judges.models import Judge, Price, Prompt
from judges.prompts.actions import create_prompt
from judges.prompts.forms import PromptPreviewForm
from tests.factories import make_organizer, make_staff, make_track
from tests.judges.factories import make_generator, make_image_pool, make_judge, run_to_end
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


@pytest.fixture
def other(client: Client) -> Client:
    """The organizer of another track."""
    client.force_login(make_organizer(make_track()))
    return client


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_judges_and_prompts_of_a_track_are_seen_by_its_organizers_and_the_staff(pool: Pool) -> None:
    track = pool.task.track
    ensemble, site = make_ensemble(track), make_generator()
    prompt = create_prompt(
        name="fjord", template=TEMPLATE, answer="grade-0-2", by=pool.created_by, track=track
    )
    stranger = make_organizer(make_track())

    assert set(Judge.objects.visible_to(pool.created_by)) == {ensemble, site}
    assert set(Judge.objects.visible_to(make_staff())) == {ensemble, site}
    assert set(Judge.objects.visible_to(stranger)) == {site}
    assert prompt in Prompt.objects.visible_to(pool.created_by)
    assert prompt not in Prompt.objects.visible_to(stranger)


def test_pages_show_another_track_nothing_of_its_judges(pool: Pool, other: Client) -> None:
    make_ensemble(pool.task.track)
    shown = text(other, reverse("judge_list"))
    assert "ensemble" not in shown.replace("ensembles", "")
    assert str(F1) not in shown


def test_forms_offer_the_track_its_own_judges_and_prompts(pool: Pool) -> None:
    mine, theirs, site = make_generator(), make_image_pool(), make_generator()
    for track, name in ((pool.task.track, "mine"), (theirs.task.track, "theirs"), (None, "sites")):
        create_prompt(
            name=name, template=f"{TEMPLATE} {name}", answer="grade-0-2", by=make_staff(), track=track
        )
    ensemble = make_ensemble(theirs.task.track)

    offered: Any = JobStartForm(task=pool.task).fields["judge"]
    assert set(offered.queryset) == {mine, site}
    assert ensemble not in offered.queryset
    prompts: Any = PromptPreviewForm(task=pool.task).fields["named"]
    names = " ".join(value for value, _ in prompts.choices)
    assert "mine (version 1)" in names
    assert "sites (version 1)" in names
    assert "theirs" not in names


def test_judge_of_another_track_takes_no_job(pool: Pool) -> None:
    theirs = make_ensemble(make_track())
    with refused("judge-of-another-track", match="Choose a judge of the track"):
        start_job(judge=theirs, pool=pool, by=pool.created_by)


def test_name_of_another_tracks_judge_is_free(pool: Pool) -> None:
    make_ensemble(pool.task.track, name="fjord")
    given = Settings(backend="imported", revision=0, model="scores.csv", model_revision="0" * 64)
    made = [create_judge(name="fjord", settings=given, by=make_staff(), track=make_track()) for _ in range(2)]
    assert len({judge.identity_sha256 for judge in made}) == 1
    with refused("judge-exists"):
        create_judge(name="fjord", settings=given, by=make_staff(), track=pool.task.track)


def test_ensemble_belongs_to_a_track_for_every_author() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_ensemble(None)  # type: ignore[arg-type]  # what the database refuses


def test_folder_of_a_model_is_shown_to_staff_only(other: Client) -> None:
    judge = make_generator(model="/srv/secret-folder/llava-7b", model_revision="0" * 40)
    shown = text(other, reverse("judge_list"))
    assert "llava-7b" in shown
    assert "secret-folder" not in shown
    other.force_login(make_staff())
    assert "secret-folder" in text(other, reverse("admin:judges_judge_change", args=[judge.pk]))


def test_estimate_rests_on_no_other_tracks_jobs(pool: Pool) -> None:
    judge, other = make_generator(), make_generator(model="another")
    for each in (judge, other):
        Price.objects.create(model=each.model, input_price=1, output_price=1)
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    type(job).objects.filter(pk=job.pk).update(started_at="2026-01-01T00Z", finished_at="2026-01-01T01Z")
    found = estimate_job(judge=judge, pool=pool)
    assert found.duration
    assert found.likely_micros
    elsewhere = estimate_job(judge=judge, pool=make_image_pool())
    assert (elsewhere.duration, elsewhere.likely_micros) == (None, None)
    assert estimate_job(judge=other, pool=pool).likely_micros is None


def test_mapping_of_a_sites_judge_is_offered_in_its_own_track_only(pool: Pool) -> None:
    judge, theirs = make_judge(), make_image_pool()
    jobs = [run_to_end(start_job(judge=judge, pool=each, by=each.created_by)) for each in (pool, theirs)]
    own, _ = [fit_mapping(job=job, by=job.created_by) for job in jobs]
    offered: Any = JobPublishForm(job=jobs[0], user=pool.created_by).fields["mapping"]
    assert list(offered.queryset) == [own]


def test_only_staff_write_prompts_for_the_whole_site(pool: Pool, client: Client) -> None:
    client.force_login(pool.created_by)
    form = {"name": "mine", "template": TEMPLATE, "answer": "grade-0-2", "is_of_site": "on"}
    address = reverse("prompt_create", args=[pool.task.track.slug, pool.task.slug])
    client.post(address, form)
    assert Prompt.objects.get().track == pool.task.track
    client.force_login(make_staff())
    client.post(address, form)
    assert Prompt.objects.filter(track=None).count() == 1
