from dataclasses import replace
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool
from judges.models import Job, Price, Prompt
from judges.prompts.actions import create_prompt
from tests.factories import make_assessor, make_staff, make_task
from tests.judges.factories import Scripted, judged, make_generator, scripted_response
from tests.judges.pages.setting import address, text_of
from trackside.judging.asking import Usage
from trackside.judging.judge import Unit
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


def test_job_start_estimates_before_it_starts_anything(organizer: Client, pool: Pool) -> None:
    judge = make_generator(prompt="{page_titel} {section_title}\n{image}")
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2))

    page = text_of(organizer.get(address("job_start", pool.task), {"judge": judge.pk, "pool": pool.pk}))

    assert "<dt>Pairs</dt><dd>6</dd>" in page
    assert "unknown before the model&#x27;s first answers" in page
    assert "no text of this pool has: page_titel." in page
    assert not Job.objects.exists()


def test_job_start_sets_budget_and_priority(organizer: Client, pool: Pool) -> None:
    judge = make_generator()
    order = {"judge": judge.pk, "pool": pool.pk, "budget": "12.50", "priority": "2"}

    unpriced = text_of(organizer.post(address("job_start", pool.task), order))
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2))
    organizer.post(address("job_start", pool.task), order)

    assert "There is no price for" in unpriced
    job = Job.objects.get()
    assert (job.priority, job.budget.cap_micros, job.input_price) == (2, 12_500_000, Decimal(1))


def test_job_page_shows_tokens_of_thoughts_apart(organizer: Client, pool: Pool, scripted: Scripted) -> None:
    scripted.script = staticmethod(lambda ask: replace(scripted_response(ask), usage=Usage(100, 8, 1000)))
    job = judged(make_generator(), pool)

    page = text_of(organizer.get(address("job_detail", pool.task, job)))

    assert "Thoughts: 6,000 tokens." in page


def test_job_page_shows_cost_and_the_last_answers_with_their_image(organizer: Client, pool: Pool) -> None:
    job = judged(make_generator(), pool)

    page = text_of(organizer.get(address("job_detail", pool.task, job)))

    call = job.calls.first()
    assert call is not None
    assert "Cost 0.00" in page
    assert call.raw_answer in page
    assert page.count("<img src=") == 6
    assert "Encoded" not in page


def test_prompt_is_shown_on_a_real_pair(organizer: Client, pool: Pool) -> None:
    url = address("prompt_preview", pool.task)
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
    url = address("prompt_preview", pool.task)

    page = text_of(organizer.get(url, {"named": "original (version 1)"}))

    assert 'href="https://example.org/a"' in page
    assert "<script>alert" not in page
    assert made.text_sha256 in page
    assert "Ours: the wording" not in page


@pytest.mark.parametrize(
    ("preset", "shown"),
    [
        ("clip-four-fields", '<p class="text">Section of T1 Page of T1</p>'),
        ("clipscore-2021", '<p class="text">A photo depicts Page of T1 Section of T1</p>'),
        ("clip-context-only", "This pair is not sent: text_empty"),
    ],
)
def test_prompt_page_shows_what_a_preset_of_clip_reads(
    organizer: Client, pool: Pool, preset: str, shown: str
) -> None:
    assert shown in text_of(organizer.get(address("prompt_preview", pool.task), {"named": preset}))


def test_prompt_page_needs_a_pool_and_an_organizer(client: Client, pool: Pool) -> None:
    task = make_task(pool.task.track)
    url = address("prompt_preview", task)
    client.force_login(pool.created_by)
    assert "Freeze one" in text_of(client.get(url))
    client.force_login(make_assessor(pool.task.track))
    assert client.get(url).status_code == 404


def test_page_stores_a_prompt_as_the_next_version(organizer: Client, pool: Pool) -> None:
    url = address("prompt_create", pool.task)
    template = "Look:\r\n{fields} {image}"
    form = {"name": "direct-grade", "template": template, "answer": "grade-0-2", "source": "a book"}

    assert organizer.post(url, form).status_code == 302
    twin = organizer.post(url, form)
    broken = organizer.post(url, form | {"template": "Look"})

    made = Prompt.objects.get()
    assert (made.version, made.source, made.template) == (2, "a book", "Look:\n{fields} {image}")
    assert "has the same text" in twin.content.decode()
    assert "shows the image once" in broken.content.decode()


def test_prices_hold_for_the_whole_site_and_are_its_staffs(client: Client, pool: Pool) -> None:
    price = {"model": "m", "input_price": "2.5", "output_price": "10"} | {
        "image_tokens": "1000",
        "batch_percent": "50",
    }
    statuses = []
    for person in (pool.created_by, make_staff()):
        client.force_login(person)
        statuses.append(client.post(reverse("admin:judges_price_add"), price).status_code)

    assert statuses == [404, 302]  # a missing page, to the list
    assert Price.objects.get().rates_for(Unit.PAIR).cost(1000, 1) == 2510
    assert Price.objects.get().rates_for(Unit.BATCH).cost(1000, 1) == 1255
