from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import torch
from transformers import LlavaForConditionalGeneration, LlavaProcessor

from tests.judges.pictures import file_of, picture
from tests.judges.tiny_llava import TEMPLATE, save_tiny_llava
from tests.refusals import refused
from tests.trackside.backends.generators import responses, settings_of
from trackside.backends.llava import Llava
from trackside.images import opened
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, EndpointError, Response

pytestmark = pytest.mark.whole

# As that of LLaVA 1.5: all images before all texts.
IMAGE_FIRST_TEMPLATE = (
    "{% for m in messages %}USER: {% for c in m['content'] if c['type'] == 'image' %}<image>\n{% endfor %}"
    "{% for c in m['content'] if c['type'] == 'text' %}{{ c['text'] }} {% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}ASSISTANT:{% endif %}"
)


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights."""
    return save_tiny_llava(tmp_path_factory.mktemp("models") / "random")


def loaded(folder: Path, **changes: Any) -> Llava:
    return Llava(Llava.pinned(settings_of(folder, **changes)))


def asks(count: int) -> list[Ask]:
    """Prompts of different lengths, each with another image."""
    return [
        Ask(f"ts-{place:032x}", (file_of(picture(place)), "words " * (place + 1))) for place in range(count)
    ]


def shown(ask: Ask) -> tuple[bytes, str]:
    image, words = ask.parts
    assert isinstance(image, bytes)
    assert isinstance(words, str)
    return image, words


def plain_answer(folder: Path, ask: Ask, max_tokens: int) -> str:
    """The usual way: one pair, no padding."""
    model = LlavaForConditionalGeneration.from_pretrained(folder).eval()
    processor = LlavaProcessor.from_pretrained(folder, backend="pil")
    image, words = shown(ask)
    inputs = processor(images=opened(image), text=f"<image>\n{words} ASSISTANT:", return_tensors="pt")
    with torch.inference_mode():
        found = model.generate(**inputs, max_new_tokens=max_tokens, do_sample=False)
    said: str = processor.tokenizer.decode(found[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    return said


def test_llava_answers_are_parsed(tiny_llava: Path) -> None:
    some = asks(5)
    found = responses(loaded(tiny_llava), some)

    assert set(found) == {ask.id for ask in some}
    for response in found.values():
        assert (response.text.strip(), response.finish_reason) == ("Relevance: 42", "stop")
        assert response.reading == Reading(Outcome.OK, 42)
        assert response.usage is not None
        assert response.usage.output_tokens == len(" Relevance: 42") + 1  # a letter a token, and the end


def test_llava_batch_answers_as_a_plain_loop(random: Path) -> None:
    some = asks(4)

    found = responses(loaded(random, decoding={"max_tokens": 12}), some)

    for ask in some:
        assert found[ask.id].text == plain_answer(random, ask, 12).replace("\0", "")


def test_llava_gives_the_probability_of_a_label_on_request(tmp_path: Path) -> None:
    folder = save_tiny_llava(tmp_path, answer="Grade: yes")
    labels = {"answer": "labels:no=0, yes=1"}
    (plain,) = responses(loaded(folder, **labels), asks(1)).values()
    judge = loaded(folder, decoding={"max_tokens": 32, "logprobs": 20}, **labels)
    (response,) = responses(judge, asks(1)).values()

    assert response.reading is not None
    assert (plain.expected_score, response.reading.score) == (None, 1)
    assert response.expected_score is not None
    assert 0.9 < response.expected_score <= 1
    assert judge.self_test.endswith("P(label) available")


def test_llava_answer_without_an_end_is_truncated(tiny_llava: Path) -> None:
    (response,) = responses(loaded(tiny_llava, decoding={"max_tokens": 13}), asks(1)).values()

    assert (response.text, response.finish_reason) == (" Relevance: 4", "length")
    assert response.reading == Reading(Outcome.TRUNCATED)


def test_llava_of_an_earlier_release_that_gave_expected_grades_is_refused(random: Path) -> None:
    with refused("llava-settings-refused", match="no longer"):
        Llava(settings_of(random, decoding={"max_tokens": 32, "expected": True}))
    Llava(settings_of(random, decoding={"max_tokens": 32, "expected": False}))


def test_llava_refuses_a_prompt_that_leaves_no_room_for_the_answer_and_answers_the_others(
    tiny_llava: Path,
) -> None:
    judge, (ask, short) = loaded(tiny_llava), asks(2)
    image, words = shown(ask)
    taken = judge._inputs([(ask, [opened(image)])])["input_ids"].shape[1]
    room = 1024 - 32  # positions of the model, less those of the longest answer
    fitting = replace(ask, parts=(image, words + "w" * (room - taken)))
    longer = replace(ask, parts=(image, words + "w" * (room - taken + 1)))

    found = responses(judge, [longer, short])

    assert found[longer.id].fault is EndpointError.REQUEST_REFUSED
    assert "too long" in found[longer.id].detail
    assert found[short.id].reading == Reading(Outcome.OK, 42)
    assert responses(judge, [fitting])[ask.id].fault is None


def test_llava_refuses_an_order_that_the_models_template_does_not_keep(tmp_path: Path) -> None:
    folder = save_tiny_llava(tmp_path / "image-first")
    (folder / "chat_template.jinja").write_text(IMAGE_FIRST_TEMPLATE)

    with refused("llava-settings-refused", match="begins with"):
        loaded(folder, prompt="{fields}\n{image}")

    assert loaded(folder, prompt="{image}\n{fields}")


@pytest.mark.parametrize(
    ("image", "detail"),
    [(b"no image", "cannot be read"), (file_of(picture(1, (1, 101))), "models cannot process")],
    ids=["no image", "a line"],
)
def test_llava_names_an_unreadable_image_and_answers_the_others(
    tiny_llava: Path, image: bytes, detail: str
) -> None:
    first, second = asks(2)
    broken = replace(first, parts=(image, "words"))

    found = responses(loaded(tiny_llava), [broken, second])

    assert found[first.id].fault is EndpointError.REQUEST_REFUSED
    assert detail in found[first.id].detail
    assert found[second.id].reading == Reading(Outcome.OK, 42)


def test_batches_are_halved_until_they_fit_into_the_memory(
    tiny_llava: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, sizes = loaded(tiny_llava), list[int]()
    respond = judge._responses

    def limited(shown: Sequence[Any], inputs: Any) -> list[Response]:
        sizes.append(len(shown))
        if len(shown) > 2:
            raise torch.OutOfMemoryError
        return respond(shown, inputs)

    monkeypatch.setattr(judge, "_responses", limited)
    found = responses(judge, asks(5))

    assert (judge.batch_size, sizes) == (2, [5, 4, 2, 2, 1])
    assert {each.reading for each in found.values()} == {Reading(Outcome.OK, 42)}


def test_pictures_of_the_next_batch_are_read_and_decoded_while_the_model_computes(
    tiny_llava: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, some = loaded(tiny_llava), asks(6)
    judge.batch_size = 2
    prepared = {ask.id: Event() for ask in some}
    inputs_of, generate, are_ready = judge._inputs, judge._generated, list[bool]()

    def prepare(requests: Sequence[Any]) -> Any:
        inputs = inputs_of(requests)
        for ask, _ in requests:
            prepared[ask.id].set()
        return inputs

    def compute(requests: Sequence[Any], inputs: Any) -> list[Response]:
        last = some.index(requests[-1][0])
        are_ready.append(prepared[some[min(last + 1, 5)].id].wait(60))
        return generate(requests, inputs)

    monkeypatch.setattr(judge, "_inputs", prepare)
    monkeypatch.setattr(judge, "_generated", compute)
    found = responses(judge, some)

    assert are_ready == [True] * 3
    assert {each.reading for each in found.values()} == {Reading(Outcome.OK, 42)}


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": ""},
        {"dtype": "int8"},
        {"image_size": "draft"},
        {"decoding": {"temperature": 1}},
        {"decoding": {"expected": True}},
        {"decoding": {"logprobs": 21}},
    ],
)
def test_llava_refuses_what_it_does_not_offer(random: Path, changes: dict[str, Any]) -> None:
    with refused("llava-settings-refused"):
        Llava.pinned(settings_of(random, **changes))


def test_llava_names_a_folder_that_holds_no_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no model here")

    with refused("llava-not-found"):
        loaded(tmp_path)


KEY = "0" * 64
SHOT = f"{{example T9}}\nA lock: {{picture {KEY}}}\nRelevance: 1\n{{/example}}\n"


def test_llava_that_is_shown_fewer_pictures_than_the_examples_have_is_refused(tmp_path: Path) -> None:
    folder = save_tiny_llava(tmp_path)
    prompt = "{image}\n{fields}"
    shots = f"{SHOT * 2}{{fields}}\n{{image}}"
    assert loaded(folder, prompt=shots)
    with refused("llava-settings-refused", match="examples take 1,[0-9]+ tokens"):
        loaded(folder, prompt="w" * 1024 + shots)

    one = TEMPLATE.replace("<image>", "{% if not seen.image %}<image>{% endif %}{% set seen.image = true %}")
    (folder / "chat_template.jinja").write_text("{% set seen = namespace(image=false) %}" + one)
    assert loaded(folder, prompt=prompt)
    with refused("llava-settings-refused", match="3 pictures"):
        loaded(folder, prompt=shots)
