"""Real checkpoints, if a variable names a folder, or a hub name with "@" and its commit.

TRACKSIDE_LIVE_CLIP=openai/clip-vit-base-patch32@<commit>, and TRACKSIDE_LIVE_SIGLIP, TRACKSIDE_LIVE_LLAVA.
"""

import os
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoProcessor

from tests.judges.pictures import encoded, file_of
from tests.live.pictures import disc
from tests.trackside.backends.generators import responses
from trackside.backends.clip.encoder import ClipEncoder
from trackside.backends.llava import Llava
from trackside.judging.asking import Ask
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = pytest.mark.whole

COLOURS = ("red", "green", "blue")
TEXTS = [f"a photo of a {colour} disc on a white ground" for colour in COLOURS]


def named(variable: str) -> dict[str, Any]:
    """Model and revision that the variable names; skips the test where it is not set."""
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} names no checkpoint")
    model, _, revision = value.partition("@")
    return {"model": model, "model_revision": revision}


def plain_cosines(source: dict[str, Any], padding: str | bool) -> NDArray[np.float32]:
    """The usual loop over transformers, one pair at a time."""
    options = {"revision": source["model_revision"]} if source["model_revision"] else {}
    model = AutoModel.from_pretrained(source["model"], **options).eval()
    processor = AutoProcessor.from_pretrained(source["model"], backend="pil", **options)
    rows = []
    for text in TEXTS:
        for colour in COLOURS:
            inputs = processor(
                text=[text], images=[disc(colour)], padding=padding, truncation=True, return_tensors="pt"
            )
            with torch.inference_mode():
                found = model(**inputs)
            rows.append(torch.cosine_similarity(found.text_embeds, found.image_embeds).item())
    return np.array(rows, np.float32).reshape(3, 3)


@pytest.mark.parametrize(
    ("variable", "padding"), [("TRACKSIDE_LIVE_CLIP", True), ("TRACKSIDE_LIVE_SIGLIP", "max_length")]
)
def test_encoder_gives_the_checkpoints_own_cosines_and_distinguishes_colours(
    variable: str, padding: str | bool
) -> None:
    source = named(variable)
    encoder = ClipEncoder(ClipEncoder.pinned(Settings(backend="clip", revision=0, **source)))

    vectors = np.stack(encoded(encoder, [file_of(disc(colour)) for colour in COLOURS]))
    cosines = np.stack(encoder.encode_texts(TEXTS)) @ vectors.T

    np.testing.assert_allclose(cosines, plain_cosines(source, padding), atol=1e-5)
    assert cosines.argmax(axis=1).tolist() == [0, 1, 2]


def test_llava_scores_a_disc_higher_for_its_own_colour() -> None:
    prompt = next(each for each in BUILT_IN if each.name == "own-words-image-first")
    given: dict[str, Any] = {"backend": "llava", "revision": 0, "dtype": "bfloat16"}
    settings = Settings(**given | named("TRACKSIDE_LIVE_LLAVA"), prompt=prompt.template, answer=prompt.answer)
    words = (
        "How well does the image show a {} disc? Answer with an integer from 1 to 100 as: Relevance: <score>"
    )
    image = file_of(disc("red"))
    asks = [
        Ask(f"ts-{place:032x}", (image, words.format(colour))) for place, colour in enumerate(("red", "blue"))
    ]

    own, other = (response for _, response in sorted(responses(Llava(Llava.pinned(settings)), asks).items()))

    assert own.reading is not None
    assert other.reading is not None
    assert (own.reading.score or 0) > (other.reading.score or 0)
