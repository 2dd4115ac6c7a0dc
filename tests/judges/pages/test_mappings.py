"""Pages on which organizers choose a mapping and publish the grades of a job."""

import numpy as np
import pytest
from django.test import Client

from evaluation.models import Pool, Qrels
from evaluation.tasks import run_operations
from judges.models import Mapping
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.factories import (
    fitted,
    judged,
    make_human_qrels,
    make_image_pool,
    run_to_end,
    started,
)
from tests.judges.pages.setting import address, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


def test_job_and_mapping_pages_warn_of_a_grade_that_no_pair_gets(
    organizer: Client, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        CountingEncoder, "raw_scores", staticmethod(lambda cosines: cosines.astype(np.float64) * 0)
    )
    job = judged(pool=pool)

    for name in ("job_detail", "mapping_preview"):
        page = text_of(organizer.get(address(name, pool.task, job)))
        assert "By paper-2024 no pair gets grade 0 or 2." in page


def test_job_page_shows_what_the_mapping_would_do_before_it_is_frozen(organizer: Client, pool: Pool) -> None:
    job = judged(pool=pool)

    page = text_of(organizer.get(address("job_detail", pool.task, job)))

    # Six distinct scores: three below the median, the fourth up to the upper quartile, two above it.
    lower, upper = fitted(job).thresholds
    assert f"below {lower:.4f}" in page
    assert f"{lower:.4f} to {upper:.4f}" in page
    assert page.count('<td class="n">50 %</td>') == 1
    assert "6 distinct scores among 6" in page
    assert "Freeze a rule first" in page


def test_mapping_page_shows_scores_and_every_rule_and_freezes_the_one_that_is_chosen(client: Client) -> None:
    pool = make_image_pool(topic_count=4, image_count=4)
    client.force_login(pool.created_by)
    job = judged(pool=pool)
    people = make_human_qrels(job)

    response = client.get(
        address("mapping_preview", pool.task, job),
        {"rule": "f1-cuts", "share": "25", "cut_1": "0.1", "cut_2": "0.2"},
    )

    page = text_of(response)
    rules = {each.rule: each for each, _ in response.context["rules"]}
    assert list(rules) == [
        "paper-2024", "fixed-cuts", "as-given", "expected-grade", "kappa-cuts", "f1-cuts",
    ]  # fmt: skip
    assert "Rules by people are fitted on 1 topic of people (version 1)" in page
    assert "Choose the rule beforehand." in page
    assert response.context["shown"] == rules["f1-cuts"]
    assert "<dt>Distinct scores</dt><dd>16</dd>" in page
    assert page.count('role="img"') == 2

    response = client.post(
        address("mapping_fit", pool.task, job),
        {"rule": "kappa-cuts", "people": people.pk, "share": "50", "seed": "7"},
        follow=True,
    )

    mapping = Mapping.objects.get()
    assert (mapping.rule, mapping.people, len(mapping.fitting_topics)) == ("kappa-cuts", people, 2)
    assert "Frozen: kappa-cuts (version 1)" in text_of(response)


def test_mapping_page_names_what_prevents_a_rule_and_takes_cuts(organizer: Client, pool: Pool) -> None:
    waiting = started(pool=pool)
    assert "No pair has a score yet" in text_of(organizer.get(address("mapping_preview", pool.task, waiting)))
    job = run_to_end(waiting)

    page = text_of(organizer.get(address("mapping_preview", pool.task, job)))
    url = address("mapping_fit", pool.task, job)
    unfitted = text_of(organizer.post(url, {"rule": "kappa-cuts"}, follow=True))
    half = text_of(organizer.post(url, {"rule": "fixed-cuts", "cut_1": "1"}, follow=True))

    assert "People have published no grades of this pool yet" in page
    assert "choose human qrels of the task" in unfitted
    assert "Give all cuts as numbers" in half
    assert not Mapping.objects.exists()
    organizer.post(url, {"cut_1": "0.1", "cut_2": "0.2"})
    assert Mapping.objects.get().thresholds == [0.1, 0.2]


def test_mapping_is_frozen_and_grades_are_published_from_the_page(organizer: Client, pool: Pool) -> None:
    job = judged(pool=pool)

    organizer.post(address("mapping_fit", pool.task, job))
    mapping = Mapping.objects.get()
    organizer.post(address("job_publish", pool.task, job), {"mapping": mapping.pk})
    run_operations()
    response = organizer.get(address("job_detail", pool.task, job))

    qrels = Qrels.objects.get()
    assert (qrels.name, qrels.graded_count) == (job.judge.name, 6)
    assert qrels.sha256[:12] in text_of(response)


def test_job_publish_needs_a_mapping_of_the_judge(organizer: Client, pool: Pool) -> None:
    job = judged(pool=pool)
    other = judged(pool=pool)
    foreign = fitted(other)

    response = organizer.post(address("job_publish", pool.task, job), {"mapping": foreign.pk}, follow=True)

    assert "Choose a frozen mapping of this judge" in text_of(response)
    assert not Qrels.objects.exists()
