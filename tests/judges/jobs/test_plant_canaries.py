from collections import Counter

import numpy as np
import pytest
from PIL import Image

from judges.models import CanaryImage, Job, Judge, Side
from tests.factories import make_organizer, make_track
from tests.judges.counting_encoder import vector_of
from tests.judges.factories import (
    ScriptedGenerator,
    fitted,
    judged,
    make_generator,
    make_image_pool,
    make_judge,
    make_text_pool,
    published,
    run_to_end,
    scripted_response,
    started,
)
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, Response
from trackside.judging.canaries import CANARIES, ORDER, SCENES, Canary, Place
from trackside.text.visible import hidden_characters, visible_fields

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_canaries")]


def run(judge: Judge) -> Job:
    pool = make_image_pool(topic_count=1, image_count=2)
    return judged(judge, pool)


@pytest.mark.usefixtures("counting")
def test_every_job_scores_the_canaries_beside_the_pool() -> None:
    job = run(make_judge(prompt="Look:"))

    scores = job.canary_scores()
    assert set(scores) == set(CANARIES)
    pictures = {each.name: each.image.small.read() for each in CanaryImage.objects.all()}
    for canary in CANARIES:
        fields = visible_fields(canary.fields(["title", "caption"]))
        text = " ".join(["Look:", *(words for _, words in fields)])
        cosine = vector_of(text.encode()) @ vector_of(pictures[canary.name])
        assert scores[canary] == pytest.approx(float(cosine), abs=1e-6)
    assert (job.pair_count, job.scored_count, job.outcome_counts()) == (2, 2, {"ok": 2})
    assert len(job.calls.all()) == 22
    # They stay out of thresholds and qrels, but are reported.
    qrels = published(job)
    assert (fitted(job).score_count, qrels.pair_count) == (2, 2)
    rows = [(row["place"], row["scene_count"]) for row in qrels.provenance["susceptibility"]]
    assert rows == [("title", 4), ("caption", 4), ("image", 4), ("invisible", 4)]


@pytest.mark.whole
@pytest.mark.usefixtures("counting")
def test_canaries_of_image_topics_are_read_the_other_way_round() -> None:
    pool = make_text_pool(topic_count=1, text_count=1)

    job = judged(make_judge(), pool)

    assert set(job.canary_scores()) == set(CANARIES)


@pytest.mark.whole
def test_canaries_fill_the_fields_of_a_prompt(scripted: type[ScriptedGenerator]) -> None:
    judge = make_generator(prompt="Title {page_title}, caption {text}. {image} Relevance?")

    run(judge)

    texts = ["".join(part for part in ask.parts if isinstance(part, str)) for ask in scripted.asked]
    # As fenced: the title of four, the caption of four; the painted order is in the picture only.
    assert sum(f". {ORDER}, caption" in text for text in texts) == 4
    assert sum(f" {ORDER}.Relevance?" in text for text in texts) == 4


@pytest.mark.whole
def test_a_canary_without_an_answer_is_no_gap_of_the_job(scripted: type[ScriptedGenerator]) -> None:
    def script(ask: Ask) -> Response:
        is_order = any(isinstance(part, str) and ORDER in part for part in ask.parts)
        return Response(ask.id, Reading(Outcome.REFUSAL)) if is_order else scripted_response(ask)

    scripted.script = staticmethod(script)

    job = run(make_generator())

    assert (job.state, job.gap_count) == ("completed", 0)
    gaps = {canary.place for canary, score in job.canary_scores().items() if score is None}
    assert gaps == {Place.TITLE, Place.CAPTION}


@pytest.mark.whole
@pytest.mark.usefixtures("counting")
def test_canaries_are_painted_once_and_legibly() -> None:
    run(make_judge())
    before = dict(CanaryImage.objects.values_list("name", "image"))
    run(make_judge())

    assert dict(CanaryImage.objects.values_list("name", "image")) == before
    assert CanaryImage.objects.visible_to(make_organizer(make_track())).count() == 20
    shown, dark = {}, {}
    for each in CanaryImage.objects.select_related("image__small"):
        with each.image.small.open() as file:
            pixels = np.asarray(Image.open(file).convert("L"), dtype=int)
        shown[each.name] = pixels
        dark[each.name] = int((pixels < 40).sum())
    for canary in CANARIES:  # letters are black, shapes are not
        assert (dark[canary.name] > 1000) == (canary.place is Place.IMAGE)
    for scene in SCENES:  # what people do not see is still in the copy that models get
        plain, faint = (shown[Canary(scene, place).name] for place in (Place.NOWHERE, Place.INVISIBLE))
        assert np.abs(plain - faint).max() <= 6
        assert (plain - faint >= 2).sum() > 1000  # as many as black pixels


@pytest.mark.whole
def test_prompts_leave_the_invisible_instruction_out_of_texts(scripted: type[ScriptedGenerator]) -> None:
    run(make_generator(prompt="{fields} {image} Relevance?"))

    texts = Counter("".join(part for part in ask.parts if isinstance(part, str)) for ask in scripted.asked)
    pictures = {part for ask in scripted.asked for part in ask.parts if isinstance(part, bytes)}
    assert not any(hidden_characters(text) for text in texts)
    # Control, painted and invisible canary of a scene have one text; title and caption have their own.
    assert sorted(count for text, count in texts.items() if "Page of" not in text) == [1] * 8 + [3] * 4
    assert len(pictures) == 4 * 3 + 2  # plain, painted and faint; two of the pool


def test_judge_of_texts_is_not_asked_about_what_it_does_not_get(scripted: type[ScriptedGenerator]) -> None:
    job = run(make_generator(prompt="{topic.fields} {document.fields} Relevance?"))

    assert {canary.place for canary in job.canary_scores()} == {*Place} - {Place.IMAGE}
    assert len([ask for ask in scripted.asked if "Page of" not in str(ask.parts)]) == 4 * 3


@pytest.mark.usefixtures("scripted")
def test_pictures_ask_for_the_highest_answer_of_each_scale_and_unfinished_jobs_keep_theirs() -> None:
    pool = make_image_pool(topic_count=1, image_count=1)
    first, second = (started(make_generator(answer=f"grade-0-{top}"), pool) for top in (2, 3))
    painted = {canary.name for canary in CANARIES if canary.painted()}
    assert CanaryImage.objects.count() == len(CANARIES) + len(painted)
    inputs = [job.inputs(Side.DOCUMENT, painted) for job in (first, second)]
    assert all(inputs[0][name] != inputs[1][name] for name in painted)
    assert run_to_end(second).calls.filter(is_canary=True, outcome="ok").count() == len(CANARIES)
