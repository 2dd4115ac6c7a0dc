"""Probes on the site that change a pair itself: its picture, a field, the options of the prompt."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from evaluation.models import Pool
from judges.jobs.probing import estimate_probe
from judges.models import Job
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import Scripted, make_endpoint_judge, make_judge
from tests.judges.jobs.asking.scripted import priced
from tests.judges.jobs.controlled import bytes_of, script
from tests.judges.probed import (
    A_TOPIC,
    TOPICS,
    captions_only,
    make_captioned,
    make_probed_pool,
    probed,
    publish_fits,
    started_probe,
    verdicts,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db
PAIRS = TOPICS * A_TOPIC
OF_PICTURES = ("grey", "painted", "half")


@pytest.fixture
def pool() -> Pool:
    pool = make_probed_pool()
    publish_fits(pool)
    return pool


def meanings(job: Job) -> list[str]:
    return [row["means"] for row in job.probe["results"]]


def test_pictures_are_changed_as_the_judge_is_shown_them(pool: Pool, scripted: Scripted) -> None:
    scripted.script = script(captions_only)
    job = probed(make_captioned(), pool, probes=OF_PICTURES)
    assert list(verdicts(job)) == ["grey pictures", "words painted", "half resolution"]
    assert set(verdicts(job).values()) == {"no loss"}
    assert meanings(job)[2] == "With half the resolution, none of its grades changes."
    shown = [Image.open(io.BytesIO(bytes_of(ask))) for ask in scripted.asked]
    assert sorted(picture.size for picture in shown) == [(32, 24)] * PAIRS + [(64, 48)] * 3 * PAIRS
    contrasts = [int(np.ptp(np.asarray(picture.convert("L")))) for picture in shown]
    assert sum(contrast <= 1 for contrast in contrasts) == PAIRS
    captions = {str(ask.parts[0]) for ask in scripted.asked}
    assert len(captions) == PAIRS


def test_judge_that_needs_detail_loses_by_half_the_resolution_alone(pool: Pool, scripted: Scripted) -> None:
    """It reads the caption only from pictures of full size: of smaller ones it says 0."""

    def sharp(words: str, content: bytes) -> int:
        return captions_only(words, b"") if Image.open(io.BytesIO(content)).width == 64 else 0

    scripted.script = script(sharp)
    job = probed(make_captioned(), pool, probes=["half", "grey"])
    assert verdicts(job) == {"half resolution": "a loss", "grey pictures": "no loss"}
    assert meanings(job)[0].endswith("agree less with people: it needs the resolution.")


def test_order_flipper_is_caught_by_turned_options(pool: Pool, scripted: Scripted) -> None:
    """It means the place of an option: the last one if the caption fits, else the first one."""
    prompt = "{topic.fields} {document.caption} {document.image} Answer 0, 1 or 2. Grade?"

    def place(words: str, _: bytes) -> int:
        options = [0, 1, 2] if "0, 1 or 2" in words else [2, 1, 0]
        return options[captions_only(words, b"")]

    scripted.script = script(place)
    judge = make_captioned(prompt=prompt)
    job = probed(judge, pool, probes=["options", "again"])
    assert verdicts(job) == {"options turned": "a loss", "same pair again": "no loss"}
    turned = [ask for ask in scripted.asked if "Answer 2, 1 or 0. Grade?" in "".join(map(str, ask.parts))]
    assert len(turned) == PAIRS == len(scripted.asked) / 3
    again = probed(judge, pool, probes=["options"])
    assert len(scripted.asked) == 3 * PAIRS  # from the store
    assert verdicts(again) == {"options turned": "a loss"}
    with refused("probe-not-possible", match="does not list each answer once"):
        started_probe(make_captioned(), pool, probes=["options"])


def test_field_is_left_out_of_what_the_judge_reads(pool: Pool, scripted: Scripted) -> None:
    job = probed(make_captioned(), pool, probes=["topic.page_title"])
    assert list(verdicts(job)) == ["left out: topic.page_title"]
    without = [ask for ask in scripted.asked if "Page of" not in str(ask.parts[0])]
    assert len(without) == PAIRS
    assert all("Section of" in str(ask.parts[0]) for ask in without)
    with refused("probe-not-possible", match="document.caption.*no text left"):
        started_probe(make_captioned(), pool, probes=["document.caption"])
    with refused("probe-unknown"):
        started_probe(make_captioned(), pool, probes=["topic.nothing"])


def test_endpoint_is_sent_changed_pictures(pool: Pool) -> None:
    sizes: list[tuple[int, int]] = []

    def plan(request: Request) -> Act:
        (content,) = (part for part in request.parts if isinstance(part, bytes))
        sizes.append(Image.open(io.BytesIO(content)).size)
        return Act(text="Grade: 1")

    prompt = "{topic.fields} {document.image} Grade?"
    with running(plan) as endpoint:
        judge = make_endpoint_judge(endpoint.url, prompt=prompt, answer="grade-0-2", image_size="1024")
        job = probed(judge, pool, probes=["half", "grey"])
    assert sorted(sizes) == [(32, 24)] * PAIRS + [(64, 48)] * 2 * PAIRS
    # One grade for all: nothing can be lost, and nothing is praised.
    assert set(meanings(job)) == {
        "With half the resolution, none of its grades changes.",
        "With a grey picture, none of its grades changes.",
    }


def test_encoder_scores_changed_inputs_without_requests(pool: Pool, counting: list[bytes]) -> None:
    judge = make_judge()
    prices = {price.code: price for price in estimate_probe(judge=judge, task=pool.task).prices}
    assert prices["again"].refusal == "an encoder has one vector of an input"
    assert prices["options"].refusal == "the judge gives a score, so it has no options"
    job = probed(judge, pool, probes=[*OF_PICTURES, "topic.page_title"])
    assert job.scored_count == 5 * PAIRS
    assert {row["loss"]["pair_count"] for row in job.probe["results"]} == {PAIRS}
    assert sum(content.startswith(b"\xff\xd8") for content in counting) == 3 * PAIRS  # JPEG
    assert sum(content.startswith(b"Section") for content in counting) == TOPICS
    # The distance between copies and uploads is measured on pictures that nothing has changed.
    assert job.shards.filter(image_distance__gt=0).count() == 0


@pytest.mark.usefixtures("scripted")
def test_estimate_has_the_price_of_each_probe_and_budgets_cover_it(pool: Pool) -> None:
    judge = priced(make_captioned())
    estimate = estimate_probe(judge=judge, task=pool.task)
    possible = [price for price in estimate.prices if not price.refusal]
    assert [price.code for price in possible] == [
        "", "pictures", "texts", "again", *OF_PICTURES, "topic.page_title", "topic.section_title",
    ]  # fmt: skip
    assert {price.request_count for price in possible} == {PAIRS}
    bound = sum(price.bound_micros or 0 for price in estimate.chosen(OF_PICTURES))
    job = probed(judge, pool, probes=OF_PICTURES, cap_micros=10**9)
    assert job.ledger.count() == 4 * PAIRS
    assert sum(job.ledger.values_list("bound_micros", flat=True)) == bound


@pytest.mark.usefixtures("scripted")
def test_without_people_a_judge_that_answers_is_always_asked_again() -> None:
    pool = make_probed_pool()
    judge = make_captioned()
    job = probed(judge, pool, probes=["grey"])
    assert list(verdicts(job)) == ["grey pictures", "same pair again"]
    eight = ["pictures", "texts", *OF_PICTURES, "topic.page_title", "topic.section_title", "options"]
    with refused("too-many-probes"):
        started_probe(make_captioned(prompt=f"{judge.prompt} 0, 1 or 2"), pool, probes=eight)
    chosen = estimate_probe(judge=judge, task=pool.task).chosen(["grey"])
    assert [price.code for price in chosen] == ["", "again", "grey"]


def test_pairs_without_a_grade_are_said_beside_those_that_stay(pool: Pool, scripted: Scripted) -> None:
    """A judge that refuses some grey pictures, and grades the others as before."""

    def refusing(words: str, content: bytes) -> int | None:
        is_grey = np.asarray(Image.open(io.BytesIO(content))).max() < 200
        return None if is_grey and "D3-2." in words else captions_only(words, b"")

    scripted.script = script(refusing)
    job = probed(make_captioned(), pool, probes=["grey"])
    assert meanings(job) == ["With a grey picture (1 pair without a grade), none of its grades changes."]
