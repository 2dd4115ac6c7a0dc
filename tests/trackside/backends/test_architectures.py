"""Tiny random weights of the architectures that people bring, through the backends, without a network."""

from pathlib import Path

import numpy as np
import pytest

from tests.judges.pictures import file_of, picture
from tests.refusals import refused
from tests.trackside.backends.generators import responses, settings_of
from tests.trackside.backends.test_llava import asks
from tests.trackside.backends.tiny_encoders import ENCODERS, save_encoder
from tests.trackside.backends.tiny_models import GENERATORS, save_generator
from trackside.backends.clip.encoder import ClipEncoder
from trackside.backends.llava import Llava
from trackside.backends.llava.conversations import decoded
from trackside.judging.asking import Ask
from trackside.judging.judge import encode_files
from trackside.judging.settings import Settings

pytestmark = pytest.mark.whole


def picture_token(name: str) -> str:
    """The token that stands for a part of a picture in a prompt's ids."""
    tiny = GENERATORS[name]
    is_wrapped = {"<|image_pad|>", "<image_soft_token>"}.intersection(tiny.tokens)
    return next(iter(is_wrapped), tiny.image)


WITHOUT_TEMPLATE = {name for name, tiny in GENERATORS.items() if not tiny.has_template}


@pytest.mark.parametrize("name", sorted(set(GENERATORS) - WITHOUT_TEMPLATE))
def test_generator_reads_pictures_and_answers_a_batch_as_each_prompt_alone(name: str, tmp_path: Path) -> None:
    settings = settings_of(save_generator(name, tmp_path), decoding={"max_tokens": 6})
    judge, some = Llava(Llava.pinned(settings)), asks(3)

    assert judge.self_test.startswith("reads pictures, batch = alone, ")
    together = responses(judge, some)
    alone = {ask.id: responses(judge, [ask])[ask.id] for ask in some}
    assert [response.fault for response in together.values()] == [None] * 3
    assert {key: response.text for key, response in together.items()} == {
        key: response.text for key, response in alone.items()
    }


@pytest.mark.parametrize("name", sorted(set(GENERATORS) - WITHOUT_TEMPLATE))
def test_generator_gives_each_picture_of_a_prompt_with_examples_its_places(name: str, tmp_path: Path) -> None:
    shots = f"{{example T9}}\nA lock: {{picture {'0' * 64}}}\nRelevance: 1\n{{/example}}\n" * 2
    settings = settings_of(
        save_generator(name, tmp_path), decoding={"max_tokens": 6}, prompt=f"{shots}{{fields}}\n{{image}}"
    )
    judge = Llava(Llava.pinned(settings))
    prompts = [
        Ask(f"ts-{count}", tuple(part for _ in range(count) for part in ("A lock:", file_of(picture(1)))))
        for count in (2, 3)
    ]

    requests, broken = decoded(prompts)
    two, three = (judge._inputs([request])["input_ids"][0].tolist() for request in requests)
    token = judge._processor.tokenizer.convert_tokens_to_ids(picture_token(name))

    assert not broken
    assert two.count(token) > 0
    assert 3 * two.count(token) == 2 * three.count(token)
    assert [response.fault for response in responses(judge, prompts).values()] == [None] * 2


@pytest.mark.parametrize("name", sorted(WITHOUT_TEMPLATE))
def test_generator_that_follows_no_instructions_is_refused_by_name(name: str, tmp_path: Path) -> None:
    settings = settings_of(save_generator(name, tmp_path))

    with refused("llava-settings-refused", match=f"(?i){name.replace('-', '')} was not trained"):
        Llava(Llava.pinned(settings))


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_dual_encoder_reads_pictures_and_texts_of_any_length(name: str, tmp_path: Path) -> None:
    folder = save_encoder(name, tmp_path)
    settings = Settings(backend="clip", revision=0, model=str(folder), model_revision="")
    encoder = ClipEncoder(ClipEncoder.pinned(settings))

    assert encoder.self_test == "reads pictures, batch = alone, 64 tokens"
    texts = encoder.encode_texts(["a lock", "words " * 100])
    images = encode_files(encoder, [file_of(picture(1)), file_of(picture(2))])
    for vector in (*texts, *images):
        assert isinstance(vector, np.ndarray)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
