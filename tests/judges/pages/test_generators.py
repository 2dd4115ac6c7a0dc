from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool
from judges.models import Budget, Job, JobState, Judge, Mapping, Price, Prompt
from judges.prompts.actions import create_prompt
from tests.factories import make_assessor, make_staff, make_task
from tests.judges.factories import make_generator, run_to_end
from tests.judges.pages.setting import address, start, text_of
from trackside.judging.judge import Unit
from trackside.judging.presets import CLIP_PRESETS
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def test_job_start_estimates_before_it_starts_anything(organizer: Client, pool: Pool) -> None:
    judge = make_generator()
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2))

    page = text_of(organizer.get(address("job_start", pool.task), {"judge": judge.pk, "pool": pool.pk}))

    assert "<dt>Pairs</dt><dd>6</dd>" in page
    assert "unknown before the model&#x27;s first answers" in page
    assert not Job.objects.exists()


def test_job_start_warns_of_a_field_that_no_text_has(organizer: Client, pool: Pool) -> None:
    def page(prompt: str) -> str:
        judge = make_generator(prompt=prompt)
        return text_of(organizer.get(address("job_start", pool.task), {"judge": judge.pk, "pool": pool.pk}))

    assert "no text of this pool has: page_titel." in page("{page_titel} {section_title}\n{image}")
    assert "fields that no text of this pool has" not in page("{page_title} {section_title}\n{image}")


def test_job_start_sets_budget_and_priority(organizer: Client, pool: Pool) -> None:
    judge = make_generator()
    order = {"judge": judge.pk, "pool": pool.pk, "budget": "12.50", "priority": "2"}

    unpriced = text_of(organizer.post(address("job_start", pool.task), order))
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2))
    organizer.post(address("job_start", pool.task), order)

    assert "There is no price for" in unpriced
    job = Job.objects.get()
    assert (job.priority, job.budget.cap_micros, job.input_price) == (2, 12_500_000, Decimal(1))


def test_job_page_shows_cost_and_the_last_answers_with_their_image(organizer: Client, pool: Pool) -> None:
    job = run_to_end(start(pool, make_generator()))

    page = text_of(organizer.get(address("job_detail", pool.task, job)))

    call = job.calls.first()
    assert call is not None
    assert "Cost 0.00" in page
    assert call.raw_answer in page
    assert page.count("<img src=") == 6
    assert "Encoded" not in page


def test_job_is_paused_and_resumed_from_its_page(organizer: Client, pool: Pool) -> None:
    job = start(pool, make_generator())
    assert ">Pause</button>" in text_of(organizer.get(address("job_detail", pool.task, job)))

    organizer.post(address("job_pause", pool.task, job))
    again = organizer.post(address("job_pause", pool.task, job), follow=True)
    assert Job.objects.get().state == JobState.PAUSED
    assert "only an active job can be paused" in text_of(again)
    assert "Paused by" in text_of(again)
    assert ">Resume</button>" in text_of(again)

    organizer.post(address("job_resume", pool.task, job))
    again = organizer.post(address("job_resume", pool.task, job), follow=True)
    assert Job.objects.get().state == JobState.RUNNING
    assert "can be resumed" in text_of(again)


def test_prompt_is_shown_on_a_real_pair(organizer: Client, pool: Pool) -> None:
    url = reverse("prompt_preview", args=[pool.task.track.slug, pool.task.slug])
    name = f"{BUILT_IN[0].name} (version 1)"

    page = text_of(organizer.get(url, {"named": name}))

    assert "Page title: Page of T1" in page
    assert "Page context: (none)" in page
    assert "has no field context_section_description, context_page_description" in page
    assert page.count("<img src=") == 1
    assert page.index("Relevance: &lt;score&gt;") < page.index("<img src=")
    assert "after Yang and Lin (2024)" in page
    assert "Ours: the wording of all three parts" in page
    assert BUILT_IN[0].text_sha256 in page


def test_prompt_page_shows_the_source_of_a_pasted_prompt(organizer: Client, pool: Pool) -> None:
    made = create_prompt(
        name="original",
        template="{fields} {image}",
        answer="grade-0-2",
        source="Smith (2025), https://example.org/a <script>alert(1)</script>",
        by=make_staff(),
    )
    url = reverse("prompt_preview", args=[pool.task.track.slug, pool.task.slug])

    page = text_of(organizer.get(url, {"named": "original (version 1)"}))

    assert 'href="https://example.org/a"' in page
    assert "<script>alert" not in page
    assert made.text_sha256 in page
    assert "Ours: the wording" not in page


@pytest.mark.parametrize("preset", CLIP_PRESETS)
def test_prompt_page_shows_what_a_preset_of_clip_reads(organizer: Client, pool: Pool, preset: str) -> None:
    url = reverse("prompt_preview", args=[pool.task.track.slug, pool.task.slug])
    titles = ["Page of T1", "Section of T1"]

    page = text_of(organizer.get(url, {"named": preset}))

    fields = CLIP_PRESETS[preset].text_fields
    if set(fields) & {"page_title", "section_title"}:
        titles.sort(key=lambda title: fields.index(f"{title.split()[0].lower()}_title"))
        assert f'<p class="text">{" ".join(titles)}</p>' in page
    elif fields:
        assert "This pair is not sent: text_empty" in page
    else:
        assert f'<p class="text">A photo depicts {" ".join(titles)}</p>' in page


def test_prompt_page_needs_a_pool_and_an_organizer(client: Client, pool: Pool) -> None:
    task = make_task(pool.task.track)
    url = reverse("prompt_preview", args=[task.track.slug, task.slug])
    client.force_login(pool.created_by)
    assert "Freeze one" in text_of(client.get(url))
    client.force_login(make_assessor(pool.task.track))
    assert client.get(url).status_code == 404


def test_page_stores_a_prompt_as_the_next_version(organizer: Client, pool: Pool) -> None:
    url = reverse("prompt_create", args=[pool.task.track.slug, pool.task.slug])
    template = "Look:\r\n{fields} {image}"
    form = {"name": "direct-grade", "template": template, "answer": "grade-0-2", "source": "a book"}

    assert organizer.post(url, form).status_code == 302
    twin = organizer.post(url, form)
    broken = organizer.post(url, form | {"template": "Look"})

    made = Prompt.objects.get()
    assert (made.version, made.source, made.template) == (2, "a book", "Look:\n{fields} {image}")
    assert "has the same text" in twin.content.decode()
    assert "shows the image once" in broken.content.decode()


def test_admin_makes_a_judge_of_an_endpoint_with_a_named_prompt(staff: Client) -> None:
    form = {
        "name": "gpt",
        "backend": "openai_chat",
        "model": "gpt-4o-2024-11-20",
        "dtype": "float32",
        "image_size": "small",
        "long_text": "truncate",
        "endpoint": "https://api.openai.com/v1",
        "named_prompt": f"{BUILT_IN[0].name} (version 1)",
        "decoding": '{"max_tokens": 16}',
        "task_kinds": "text-to-image",
    }

    response = staff.post(reverse("admin:judges_judge_add"), form)

    assert response.status_code == 302, text_of(response)
    judge = Judge.objects.get()
    assert (judge.prompt, judge.answer) == (BUILT_IN[0].template, BUILT_IN[0].answer)
    assert judge.decoding == {"max_tokens": 16, "temperature": 0}
    assert judge.model_revision == "gpt-4o-2024-11-20"


def test_page_sets_the_cap_of_a_budget(organizer: Client, pool: Pool) -> None:
    budget = start(pool, make_generator()).budget
    url = reverse("row_edit", args=[pool.task.track.slug, "budget", budget.pk])

    organizer.post(url, {"cap": "2.5"})
    assert Budget.objects.get(pk=budget.pk).cap_micros == 2_500_000
    Budget.objects.filter(pk=budget.pk).update(spent_micros=2_000_000)
    refused = organizer.post(url, {"cap": "1"}, follow=True)

    assert Budget.objects.get(pk=budget.pk).cap_micros == 2_500_000
    assert "are spent or reserved" in text_of(refused)


def test_admin_shows_the_ledger(staff: Client, pool: Pool) -> None:
    run_to_end(start(pool, make_generator()))

    ledger = text_of(staff.get(reverse("admin:judges_ledgerentry_changelist")))

    assert ledger.count("ts-") >= 6


def test_prices_hold_for_the_whole_site_and_are_its_staffs(client: Client, pool: Pool) -> None:
    price = {
        "model": "m",
        "input_price": "2.5",
        "output_price": "10",
        "image_tokens": "1000",
        "batch_percent": "50",
    }
    statuses = []
    for person in (pool.created_by, make_staff()):
        client.force_login(person)
        statuses.append(client.post(reverse("admin:judges_price_add"), price).status_code)

    assert statuses == [302, 302]  # to the sign-in page, to the list
    assert Price.objects.get().rates_for(Unit.PAIR).cost(1000, 1) == 2510
    assert Price.objects.get().rates_for(Unit.BATCH).cost(1000, 1) == 1255


def test_cuts_are_set_by_hand_from_the_jobs_page(organizer: Client, pool: Pool) -> None:
    job = run_to_end(start(pool, make_generator()))
    url = address("mapping_fit", pool.task, job)

    half = organizer.post(url, {"cut_1": "30"}, follow=True)
    organizer.post(url, {"cut_1": "30", "cut_2": "60"})

    assert "all cuts" in text_of(half)
    assert Mapping.objects.get().thresholds == [30, 60]
