"""A judge of one function, as the recipe of docs/library.md writes it."""

import doctest
from typing import Any

import pytest
from django.conf import settings as django_settings

from tests.refusals import refused
from tests.trackside.backends.generators import responses
from trackside.errors import InputError
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, EndpointError
from trackside.judging.settings import Settings
from trackside.plugins import judge


def made(answer: str, prompt: str = "{page_title} {image}") -> Settings:
    return Settings(backend="own", revision=0, model="any", model_revision="", answer=answer, prompt=prompt)


def test_recipe_scores_pairs_by_their_words() -> None:
    text = (django_settings.ROOT / "docs/library.md").read_text()
    shown = text.partition(">>> from trackside.plugins import judge\n")[2].partition("\n\n```")[0]
    (example,) = doctest.DocTestParser().get_examples(f"{shown}\n")
    names: dict[str, Any] = {"judge": judge, "__name__": "recipe"}
    exec(example.source, names)
    backend = names["word_count"]
    settings = backend.pinned(made("relevance-1-100"))
    asks = [Ask("one", ("barns", b"image")), Ask("two", ("red barns", b"image", "on a hill"))]
    readings = {key: each.reading for key, each in responses(backend(settings), asks).items()}
    assert readings == {"one": Reading(Outcome.OK, 1), "two": Reading(Outcome.OK, 5)}
    assert settings.revision == 1


def test_what_a_function_returns_or_raises_becomes_a_score_or_a_gap() -> None:
    @judge("grade-0-2", revision=3)
    def length(text: str, image: bytes | None) -> float:
        if image is None:
            raise ValueError("no image")
        return float(text)

    settings = length.pinned(made("grade-0-2"))
    asks = [Ask(text, (text, b"image")) for text in ("2", "0.5", "3", "nan")] + [
        Ask("none", ("2",)),
        Ask("both", ("2", b"one", b"two")),
    ]
    answered = responses(length(settings), asks)
    readings = {
        key: each.reading and (each.reading.outcome, each.reading.score) for key, each in answered.items()
    }
    assert readings == {
        "2": (Outcome.OK, 2), "0.5": (Outcome.OK_DECIMAL, 0.5), "3": (Outcome.OUT_OF_RANGE, None),
        "nan": (Outcome.OUT_OF_RANGE, None), "none": None, "both": None,
    }  # fmt: skip
    assert (answered["none"].fault, answered["none"].detail) == (EndpointError.REQUEST_REFUSED, "no image")
    assert "takes one" in answered["both"].detail
    assert settings.revision == 3


def test_judge_names_what_it_cannot_use() -> None:
    always = judge()(lambda text, image: 2)
    with pytest.raises(InputError, match='answers in the form "grade-0-2"'):
        always.pinned(made("relevance-1-100"))
    with refused("prompt-refused"):
        always.pinned(made("grade-0-2", prompt="no image"))
    with pytest.raises(InputError, match='no form of answer "grades"'):
        judge("grades")
