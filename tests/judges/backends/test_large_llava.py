"""The LLaVA backend on a model in the shape of LLaVA-1.5-7B; other tests use tiny models."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForImageTextToText, LlavaForConditionalGeneration

from judges.backends.llava import Llava
from tests.judges.backends.generators import responses, settings_of
from tests.judges.large_llava import IMAGE_PLACES, save_with_weights, save_without_weights
from tests.judges.pictures import file_of, picture
from trackside.judging.answers import Outcome
from trackside.judging.asking import Ask

pytestmark = pytest.mark.whole

PARAMETERS = 7_063_427_072  # as the hub counts those of llava-hf/llava-1.5-7b-hf
GRADES = {"prompt": "{fields}\n{image}", "answer": "grade-0-2", "dtype": "bfloat16"}
ASKS = [Ask(f"ts-{place:032x}", ("words " * place + "?", file_of(picture(place)))) for place in (1, 9)]


@pytest.fixture
def shapes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load models without weights: tensors that have a shape and no content."""

    def from_pretrained(folder: str, dtype: torch.dtype) -> Any:
        with torch.device("meta"):
            return AutoModelForImageTextToText.from_config(AutoConfig.from_pretrained(folder), dtype=dtype)

    monkeypatch.setattr(AutoModelForImageTextToText, "from_pretrained", from_pretrained)
    monkeypatch.setattr(LlavaForConditionalGeneration, "to", lambda self, _device: self)


@pytest.mark.usefixtures("shapes_only")
def test_llava_takes_a_model_of_seven_billion_parameters(tmp_path: Path) -> None:
    judge = Llava(Llava.pinned(settings_of(save_without_weights(tmp_path / "7b"), **GRADES)))

    inputs = judge._inputs([(ask, [picture(place)]) for place, ask in enumerate(ASKS)])

    model = judge._model
    assert sum(each.numel() for each in model.parameters()) == PARAMETERS
    assert {each.dtype for each in model.parameters()} == {torch.bfloat16}
    assert inputs["pixel_values"].shape == (2, 3, 336, 336)
    assert inputs["input_ids"].shape[1] > IMAGE_PLACES
    features = model.get_image_features(pixel_values=inputs["pixel_values"]).pooler_output
    assert [each.shape for each in features] == [(IMAGE_PLACES, 4096)] * 2
    embedded = model.get_input_embeddings()(inputs["input_ids"])
    found = model.model.language_model(inputs_embeds=embedded)
    logits = model.lm_head(found.last_hidden_state[:, -1:])
    assert logits.shape == (2, 1, 32064)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU with 20 GB")
def test_llava_of_seven_billion_parameters_answers_on_a_gpu(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp() / "llava-7b"
    if not folder.is_dir():
        save_with_weights(folder)

    answers = responses(Llava(Llava.pinned(settings_of(folder, **GRADES, decoding={"max_tokens": 8}))), ASKS)

    assert set(answers) == {ask.id for ask in ASKS}
    # Random weights give no readable answer; this tests only that the model runs and answers.
    assert all(response.reading and response.fault is None for response in answers.values())
    assert {response.reading.outcome for response in answers.values() if response.reading} <= set(Outcome)
