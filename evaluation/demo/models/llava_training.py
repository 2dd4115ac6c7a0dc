"""Training of the tiny LLaVA on the CPU: first the scores from names, then the pictures."""

import random
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from evaluation.demo.models.llava_lessons import write_drill, write_lesson
from evaluation.demo.models.llava_processor import DIGITS, END, IMAGE
from evaluation.demo.progress import Progress
from evaluation.demo.scenes import Scene

DRILL_RATE, LESSON_RATE = 6e-3, 3e-3
IGNORED = -100  # label without loss
SEEN_AT_ONCE = 500  # pictures


def drill(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    rng: random.Random,
    *,
    steps: int,
    batch: int,
    progress: Progress,
) -> None:
    """Train the model in place on scores from the names of the things alone."""
    parameters = [each for name, each in model.named_parameters() if "projector" not in name]
    for step in _steps(model, parameters, steps, DRILL_RATE):
        progress(step, steps, "drilling the tiny LLaVA")
        _drill_loss(model, tokenizer, rng, batch).backward()
    progress(steps, steps, "drilling the tiny LLaVA")


def see(model: LlavaForConditionalGeneration, pixels: Tensor) -> Tensor:
    """Return the vision features of each picture, (picture, place, dimension): the projector's input.

    The vision tower is frozen, so each picture is encoded only once.
    """
    parts = []
    for some in pixels.split(SEEN_AT_ONCE):
        with torch.no_grad():
            seen = model.model.vision_tower(some.float(), output_hidden_states=True)
        parts.append(seen.hidden_states[model.config.vision_feature_layer])
    return torch.cat(parts)


def teach(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    scenes: Sequence[Scene],
    sights: Tensor,
    rng: random.Random,
    *,
    steps: int,
    batch: int,
    progress: Progress,
) -> None:
    """Train the model in place to recognise pictures and to answer about them."""
    places = model.config.image_seq_length
    for step in _steps(model, list(model.parameters()), steps, LESSON_RATE):
        progress(step, steps, "training the tiny LLaVA")
        chosen = [rng.randrange(len(scenes)) for _ in range(batch)]
        lessons = [write_lesson(scenes[place], rng) for place in chosen]
        questions = [
            f"{IMAGE * places} {lesson.question} assistant:"
            if number % 2
            else f" {lesson.question}{IMAGE * places} assistant:"
            for number, lesson in enumerate(lessons)
        ]
        answers = [f" {lesson.answer}{END}" for lesson in lessons]
        loss = lesson_loss(model, tokenizer, questions, answers, sights[chosen])
        # Without drills the model forgets them within a few dozen steps.
        (loss + _drill_loss(model, tokenizer, rng, batch)).backward()
    progress(steps, steps, "training the tiny LLaVA")


def lesson_loss(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    questions: list[str],
    answers: list[str],
    sights: Tensor,
) -> Tensor:
    """Return the loss on the answers; next tokens are computed only for them."""
    prompts, targets = (
        tokenizer(texts, padding=True, padding_side=side, add_special_tokens=False, return_tensors="pt")
        for texts, side in ((questions, "left"), (answers, "right"))
    )
    ids = torch.cat([prompts["input_ids"], targets["input_ids"]], 1)
    mask = torch.cat([prompts["attention_mask"], targets["attention_mask"]], 1)
    words = model.get_input_embeddings()(ids)
    is_image = (ids == model.config.image_token_id)[:, :, None]
    shown = words.masked_scatter(is_image, model.model.multi_modal_projector(sights))
    hidden = model.model.language_model(inputs_embeds=shown, attention_mask=mask).last_hidden_state
    labels = targets["input_ids"].masked_fill(targets["attention_mask"] == 0, IGNORED)
    before = hidden[:, -labels.shape[1] - 1 : -1]  # each position predicts the next token
    return cross_entropy(model.lm_head(before).flatten(0, 1), labels.flatten())


def _drill_loss(
    model: LlavaForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, rng: random.Random, batch: int
) -> Tensor:
    """Return the loss on the digits of a number of drills."""
    digits = torch.tensor([tokenizer.convert_tokens_to_ids(digit) for digit in DIGITS])
    texts = [f" {write_drill(rng)}" for _ in range(batch)]
    tokens = tokenizer(
        texts, padding=True, padding_side="right", add_special_tokens=False, return_tensors="pt"
    )
    ids = tokens["input_ids"]
    hidden = model.model.language_model(
        input_ids=ids, attention_mask=tokens["attention_mask"]
    ).last_hidden_state
    is_digit = torch.isin(ids[:, 1:], digits)
    return cross_entropy(model.lm_head(hidden[:, :-1][is_digit]), ids[:, 1:][is_digit])


def _steps(
    model: LlavaForConditionalGeneration, parameters: Sequence[Tensor], steps: int, rate: float
) -> Iterator[int]:
    """Yield the steps; after each, update the weights from its gradients."""
    trained = [each for each in parameters if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, rate, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.15)
    model.train()
    for step in range(steps):
        yield step
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    model.eval()
