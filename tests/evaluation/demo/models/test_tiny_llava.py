"""A tiny LLaVA answers as the site reads."""

from collections import deque
from pathlib import Path

import pytest
from torch import Tensor

from evaluation.demo.drawing import picture_jpeg
from evaluation.demo.models.llava import answer, train_llava
from evaluation.demo.scenes import Scene
from evaluation.demo.steps.judging import FORM, LONGEST, PROMPT
from judges.backends.llava import Llava
from trackside.judging.answers import read_answer
from trackside.judging.asking import Ask
from trackside.judging.forms import FORMS
from trackside.judging.prompts import ImagePlace, rendered
from trackside.judging.settings import Settings

pytestmark = pytest.mark.whole

OAK = Scene("oak", "sea", "photo", "red")


def test_tiny_llava_answers_through_the_sites_own_backend(
    clip: Path, learnt: tuple[list[Scene], Tensor], tmp_path: Path
) -> None:
    train_llava(tmp_path, clip, *learnt, steps=2)
    asked = Settings(
        backend="llava",
        revision=0,
        model=str(tmp_path),
        model_revision="",
        prompt=PROMPT,
        answer=FORM,
        decoding=LONGEST,
    )
    fields = [("page_title", "Oak"), ("section_title", "Woodland"), ("context", "unread")]
    picture = picture_jpeg(OAK, "oak")
    parts = tuple(picture if part is ImagePlace else str(part) for part in rendered(PROMPT, fields))
    left = deque([Ask("ts-1", parts)])

    (batch,) = Llava(Llava.pinned(asked)).responses(lambda room: [left.popleft() for _ in range(len(left))])

    assert batch[0].fault is None
    assert batch[0].usage is not None
    assert (
        batch[0].usage.input_tokens > 17
    )  # 4 x 4 patches and the class token, and the words of the question


@pytest.mark.parametrize(("wanted", "grade"), [("oak", 2), ("pine", 0)])
def test_answer_is_read_as_its_grade(wanted: str, grade: int) -> None:
    text = answer("oak", wanted).removesuffix("</s>")
    assert read_answer(text, "stop", FORMS[FORM]).score == grade
