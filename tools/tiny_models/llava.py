"""A LLaVA small enough to be checked in, stored in a folder like any other LLaVA.

It looks through the tiny CLIP's vision tower. It learns to name the thing in the picture and the thing of the
page, and to grade the pair by these names alone: nothing about settings, styles, colours or a section's text.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.init import xavier_uniform_
from transformers import (
    CLIPModel,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)

from evaluation.running.demo.scenes import SEED, THINGS, VALUES, Scene, Subject, rng_of
from evaluation.running.demo.texts import TEXTS, write_section
from tools.tiny_models.clip import VISION
from tools.tiny_models.training import (
    END,
    IMAGE,
    IMAGE_SIZE,
    PATCH_SIZE,
    fit,
    image_processor,
    make_tokenizer,
)

TEMPLATE = (
    "{% for message in messages %}{% for part in message['content'] %}"
    "{% if part['type'] == 'text' %} {{ part['text'] }}{% else %}<image>{% endif %}"
    "{% endfor %}{% endfor %}{% if add_generation_prompt %} assistant:{% endif %}"
)
WIDTH, LENGTH = 64, 512
STEPS, RATE, DRILLS = 350, 3e-3, 200
SAME_SHARE = 0.4
PLACES = (IMAGE_SIZE // PATCH_SIZE) ** 2 + 1  # patches and class token


def train_llava(
    folder: Path, clip: Path, scenes: Sequence[Scene], pixels: Tensor, steps: int = STEPS
) -> None:
    """Train a LLaVA over this CLIP on these pictures, and save it in the folder."""
    rng = rng_of("questions to learn from", SEED)
    tokenizer = make_tokenizer([" ".join(lesson(scene, rng)) for scene in scenes], length=LENGTH, wraps=False)
    model = untrained(tokenizer, clip)

    def loss(_step: int, places: Sequence[int], rng: random.Random) -> Tensor:
        lessons = [lesson(scenes[index], rng) for index in places]
        # Without drills, which have no picture, the model learns the grades from the names late.
        named = [(thing, _other(thing, rng)) for thing in rng.choices(list(THINGS), k=DRILLS)]
        drills = [(" assistant:", answer(*pair)) for pair in named]
        return answer_loss(model, tokenizer, lessons, pixels[places]) + answer_loss(model, tokenizer, drills)

    fit(model, loss, len(scenes), steps=steps, rate=RATE)
    model.half().save_pretrained(folder)  # the backend computes in single precision
    LlavaProcessor(
        image_processor=image_processor(),
        tokenizer=tokenizer,
        patch_size=PATCH_SIZE,
        vision_feature_select_strategy="full",
        num_additional_image_tokens=1,  # the class token
        chat_template=TEMPLATE,
        image_token=IMAGE,
    ).save_pretrained(folder)


def lesson(scene: Scene, rng: random.Random) -> tuple[str, str]:
    """Write a question about a scene and a section that may or may not fit, and its answer."""
    aspect = rng.choice(list(VALUES))
    wanted = _other(scene.thing, rng)
    section = write_section(Subject(wanted, aspect, rng.choice(list(VALUES[aspect]))), rng)
    question = TEXTS["question"].format(**section)
    return f"{IMAGE * PLACES} {question} assistant:", answer(scene.thing, wanted)


def answer(seen: str, wanted: str) -> str:
    """Write the answer: the thing in the picture, the thing of the page, and the grade of the pair."""
    return f" seen {seen}, wanted {wanted}. grade: {2 if seen == wanted else 0}{END}"


def answer_loss(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    lessons: Sequence[tuple[str, str]],
    pixels: Tensor | None = None,
) -> Tensor:
    """Return the loss on the answers, which end the texts: padding is at the left."""
    tokens = tokenizer(["".join(parts) for parts in lessons], padding=True, return_tensors="pt")
    labels = torch.full_like(tokens["input_ids"], -100)
    for row, said in enumerate(tokenizer([said for _, said in lessons])["input_ids"]):
        labels[row, -len(said) :] = torch.tensor(said)
    loss: Tensor = model(**tokens, pixel_values=pixels, labels=labels).loss
    return loss


def untrained(tokenizer: PreTrainedTokenizerFast, clip: Path) -> LlavaForConditionalGeneration:
    """Return the untrained model: the CLIP's vision tower, frozen, a projector and two language layers."""
    torch.manual_seed(SEED)
    ends = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("bos", "eos", "pad")}
    words = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=2 * WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        initializer_range=0.08,  # with the usual 0.02 a model of this size learns nothing
        max_position_embeddings=LENGTH,
        **ends,
    )
    config = LlavaConfig(
        vision_config=VISION | {"model_type": "clip_vision_model"},
        text_config=words,
        image_token_index=tokenizer.get_vocab()[IMAGE],
        image_seq_length=PLACES,
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )
    model = LlavaForConditionalGeneration(config)
    for name, weights in model.named_parameters():
        if "projector" in name and weights.dim() == 2:
            xavier_uniform_(weights)
    model.model.vision_tower.load_state_dict(CLIPModel.from_pretrained(clip).vision_model.state_dict())
    model.model.vision_tower.requires_grad_(requires_grad=False)
    model.generation_config = GenerationConfig(**ends)
    return model


def _other(thing: str, rng: random.Random) -> str:
    """Draw the thing itself or any."""
    return thing if rng.random() < SAME_SHARE else rng.choice(list(THINGS))
