"""The demo's two models judge by the site's own backends; models trained again judge the same."""

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from evaluation.running.demo.drawing import picture_jpeg
from evaluation.running.demo.models import CLIP, LLAVA
from evaluation.running.demo.scenes import THINGS, VALUES, Scene
from evaluation.running.demo.steps.judging import FORM, LONGEST, PROMPT
from tools.tiny_models.__main__ import main
from tools.tiny_models.llava import answer
from tools.tiny_models.training import END, START, make_tokenizer
from trackside.arrays import Floats
from trackside.backends.clip.encoder import ClipEncoder
from trackside.backends.llava import Llava
from trackside.judging.answers import read_answer
from trackside.judging.asking import Ask
from trackside.judging.forms import FORMS
from trackside.judging.judge import encode_files
from trackside.judging.prompts import ImagePlace, rendered
from trackside.judging.settings import Settings

pytestmark = pytest.mark.whole

SCENES = [Scene(thing, setting, "photo", "red") for thing in THINGS for setting in VALUES["setting"]]
ASKED = list(THINGS)[::8]


def cosines(folder: Path) -> Floats:
    """The CLIP's cosines of each thing's name and each scene's picture: (thing, scene)."""
    asked = Settings(backend="clip", revision=0, model=str(folder), model_revision="")
    encoder = ClipEncoder(ClipEncoder.pinned(asked))
    files = [picture_jpeg(scene, str(index)) for index, scene in enumerate(SCENES)]
    texts = np.array(encoder.encode_texts(list(THINGS)), np.float64)
    return np.asarray(texts @ np.array(encode_files(encoder, files)).T, np.float64)


def grades(folder: Path) -> list[float | None]:
    """The LLaVA's grade of each asked thing's page and a picture of each asked thing."""
    asked = Settings(
        backend="llava",
        revision=0,
        model=str(folder),
        model_revision="",
        prompt=PROMPT,
        answer=FORM,
        decoding=LONGEST,
    )
    asks: deque[Ask] = deque()
    for wanted in ASKED:
        for seen in ASKED:
            fields = [("page_title", wanted.capitalize()), ("section_title", "Woodland")]
            picture = picture_jpeg(Scene(seen, "sea", "photo", "red"), seen)
            parts = tuple(picture if part is ImagePlace else str(part) for part in rendered(PROMPT, fields))
            asks.append(Ask("ts-1", parts))
    batches = Llava(Llava.pinned(asked)).responses(
        lambda room: [asks.popleft() for _ in range(min(room, len(asks)))]
    )
    return [read_answer(reply.text, "stop", FORMS[FORM]).score for batch in batches for reply in batch]


def test_tiny_clip_names_things_through_the_sites_own_backend() -> None:
    """By chance one picture in 33 would be named."""
    best = np.argmax(cosines(CLIP), axis=0)
    assert (
        np.mean([list(THINGS)[index] == scene.thing for index, scene in zip(best, SCENES, strict=True)]) > 0.5
    )


def test_tiny_llava_grades_through_the_sites_own_backend() -> None:
    given = np.array(grades(LLAVA), np.float64).reshape(len(ASKED), len(ASKED))
    assert set(given.ravel()) <= {0, 2}
    assert np.diag(given).mean() > given[~np.eye(len(ASKED), dtype=bool)].mean() + 1


@pytest.mark.long
def test_training_again_gives_models_that_judge_the_same(tmp_path: Path) -> None:
    """Other machines add in another order. With two threads, rank correlations were .998."""
    main(tmp_path)
    pairs = zip(cosines(CLIP), cosines(tmp_path / "clip"), strict=True)
    assert np.mean([spearmanr(*pair).statistic for pair in pairs]) > 0.98
    same = [one == other for one, other in zip(grades(LLAVA), grades(tmp_path / "llava"), strict=True)]
    assert np.mean(same) > 0.9


def test_make_tokenizer_keeps_the_end_token_of_a_long_text() -> None:
    tokenizer = make_tokenizer(["Red mill, 12"], length=8, wraps=True)
    assert tokenizer.tokenize("red mill, 12") == ["▁red", "▁mill", ",", "▁", "1", "2"]
    tokens = tokenizer.convert_ids_to_tokens(tokenizer("red mill " * 9, truncation=True)["input_ids"])
    assert (len(tokens), tokens[0], tokens[-1]) == (8, START, END)


@pytest.mark.parametrize(("wanted", "grade"), [("oak", 2), ("pine", 0)])
def test_answer_is_read_as_its_grade(wanted: str, grade: int) -> None:
    text = answer("oak", wanted).removesuffix("</s>")
    assert read_answer(text, "stop", FORMS[FORM]).score == grade
