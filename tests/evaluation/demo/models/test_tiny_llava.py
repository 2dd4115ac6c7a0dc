"""A tiny LLaVA is trained unless it is stored already."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from evaluation.demo.drawing.pictures import draw
from evaluation.demo.models.llava_lessons import IMAGE_FIRST, TEXT_FIRST, score_of, write_drill, write_lesson
from evaluation.demo.models.llava_processor import END, IMAGE
from evaluation.demo.models.llava_training import lesson_loss, see
from evaluation.demo.models.tiny_clip import IMAGE_SIZE
from evaluation.demo.models.tiny_llava import LlavaTrainingSize, train_tiny_llava
from evaluation.demo.scenes import Scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.things import THINGS
from judges.backends.llava import Llava
from tests.evaluation.demo.quiet import silent
from tests.judges.pictures import file_of
from trackside.judging.answers import FORMS, Outcome, read_answer
from trackside.judging.asking import Ask, Response
from trackside.judging.prompts import ImagePlace, rendered
from trackside.judging.settings import Settings

pytestmark = pytest.mark.whole

LEAST = LlavaTrainingSize(pictures=16, drills=2, steps=2, batch=4)
OAK = Scene("oak", "red", "sea", "photo", None)


@pytest.fixture(scope="module")
def llava(clip: Path, models: Path) -> Path:
    return train_tiny_llava(models, clip, 1, silent, recipe=LEAST)


def test_train_tiny_llava_is_done_once(llava: Path, clip: Path, models: Path) -> None:
    def never(_done: int, _total: int, _text: str) -> None:
        pytest.fail("trained again")

    assert train_tiny_llava(models, clip, 1, never, recipe=LEAST) == llava


def test_train_tiny_llava_reports_every_step_to_its_end(clip: Path, tmp_path: Path) -> None:
    progress: dict[str, tuple[int, int]] = {}
    before = torch.get_num_threads()

    train_tiny_llava(
        tmp_path, clip, 2, lambda done, total, text: progress.update({text: (done, total)}), recipe=LEAST
    )

    assert progress == {
        "drawing pictures to learn from": (16, 16),
        "drilling the tiny LLaVA": (2, 2),
        "training the tiny LLaVA": (2, 2),
    }
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("prompt", [IMAGE_FIRST, TEXT_FIRST])
def test_tiny_llava_answers_through_the_sites_own_backend(llava: Path, prompt: str) -> None:
    settings = Settings(
        backend="llava",
        revision=0,
        model=str(llava),
        model_revision="",
        prompt=prompt,
        answer="relevance-1-100",
        decoding={"max_tokens": 6},
    )
    picture = file_of(draw(OAK, rng_of("test"), scale=3))
    fields = [("page_title", "Oak"), ("section_title", "Woodland"), ("context", "unread")]
    parts = [picture if part is ImagePlace else str(part) for part in rendered(prompt, fields)]

    (response,) = responses(Llava(Llava.pinned(settings)), [Ask("ts-1", tuple(parts))])

    assert response.fault is None
    assert response.usage is not None
    # 4 x 4 patches and the class token; and the words of the question, none of them unknown.
    assert response.usage.input_tokens > 17


def responses(judge: Llava, asks: Sequence[Ask]) -> list[Response]:
    left = deque(asks)
    taken = judge.responses(lambda room: [left.popleft() for _ in range(min(room, len(left)))])
    return [response for batch in taken for response in batch]


def test_lesson_loss_is_the_one_that_the_model_itself_gives_for_its_answers(llava: Path) -> None:
    model = LlavaForConditionalGeneration.from_pretrained(llava).eval()
    tokenizer = PreTrainedTokenizerFast.from_pretrained(llava)
    image = IMAGE * model.config.image_seq_length
    questions = [
        f"{image} Page title: Oak. assistant:",
        f" Say what you see: Oak in winter.{image} assistant:",
    ]
    answers = [f" seen oak, wanted oak. relevance: 80{END}", f" seen oak{END}"]
    pixels = torch.rand(2, 3, IMAGE_SIZE, IMAGE_SIZE, generator=torch.Generator().manual_seed(1))
    asked, said = (
        tokenizer(texts, padding=True, padding_side=side, add_special_tokens=False, return_tensors="pt")
        for texts, side in ((questions, "left"), (answers, "right"))
    )
    unasked = torch.full_like(asked["input_ids"], -100)

    with torch.no_grad():
        own = model(
            input_ids=torch.cat([asked["input_ids"], said["input_ids"]], 1),
            attention_mask=torch.cat([asked["attention_mask"], said["attention_mask"]], 1),
            pixel_values=pixels,
            labels=torch.cat([unasked, said["input_ids"].masked_fill(said["attention_mask"] == 0, -100)], 1),
        ).loss
        ours = lesson_loss(model, tokenizer, questions, answers, see(model, pixels))

    assert ours.item() == pytest.approx(own.item(), rel=1e-5)


def test_lessons_answer_in_the_form_that_the_site_reads() -> None:
    rng = rng_of("test")
    for answer in [write_lesson(OAK, rng).answer, *(write_drill(rng) for _ in range(20))]:
        reading = read_answer(answer, "stop", FORMS["relevance-1-100"])
        assert reading.outcome is Outcome.OK
        assert reading.score in {80, 30, 5}


def test_lessons_score_by_the_things_alone() -> None:
    near = next(name for name in THINGS if name != "oak" and THINGS[name].group == THINGS["oak"].group)
    other = next(name for name in THINGS if THINGS[name].group != THINGS["oak"].group)

    assert [score_of("oak", wanted) for wanted in ("oak", near, other)] == [80, 30, 5]


def test_lessons_show_the_thing_that_is_asked_for_in_two_of_five() -> None:
    rng = rng_of("test")

    answers = [write_lesson(OAK, rng).answer for _ in range(1000)]

    # Two of five, and of the others one in 32 by chance: 0.42. Three deviations of 1,000 draws are 0.05.
    assert sum(answer.endswith(": 80") for answer in answers) / 1000 == pytest.approx(0.42, abs=0.05)
