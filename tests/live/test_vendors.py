"""A vendor's endpoint, if variables name it and a key: a few requests, a fraction of a cent.

TRACKSIDE_LIVE_ENDPOINT=https://api.openai.com/v1, TRACKSIDE_LIVE_MODEL=gpt-4o-mini-2024-07-18, and the key in
OPENAI_API_KEY (for other hosts as in `.env.example`).
"""

import os

import pytest

from tests.judges.pictures import file_of
from tests.live.pictures import disc
from tests.trackside.backends.generators import responses
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.answers import SCORED
from trackside.judging.asking import Ask
from trackside.judging.endpoints.keys import key_variable
from trackside.judging.prompts import ImagePlace, rendered
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

pytestmark = pytest.mark.whole

PROMPTS = {each.name: each for each in BUILT_IN}


@pytest.mark.parametrize("name", ["own-words-text-first", "own-words-image-first", "own-words-json"])
def test_vendor_answers_our_prompts_with_scores(name: str) -> None:
    endpoint, model = os.environ.get("TRACKSIDE_LIVE_ENDPOINT"), os.environ.get("TRACKSIDE_LIVE_MODEL")
    if not endpoint or not model or not os.environ.get(key_variable(endpoint)):
        pytest.skip("TRACKSIDE_LIVE_ENDPOINT, TRACKSIDE_LIVE_MODEL or the endpoint's key is not set")
    prompt = PROMPTS[name]
    settings = Settings(
        backend="openai_chat",
        revision=0,
        model=model,
        model_revision="",
        endpoint=endpoint,
        prompt=prompt.template,
        answer=prompt.answer,
        decoding={"json_schema": True} if name.endswith("json") else {"logprobs": 5},
    )
    fields = [("page_title", "Discs"), ("section_title", "Red discs")]
    image = file_of(disc("red"), "JPEG")
    parts = tuple(image if part is ImagePlace else str(part) for part in rendered(prompt.template, fields))

    answers = responses(OpenAIChat(OpenAIChat.pinned(settings)), [Ask("ts-" + "0" * 32, parts)])

    (response,) = answers.values()
    assert response.fault is None, response.detail
    assert response.reading is not None
    assert response.reading.outcome in SCORED
    assert response.usage is not None
