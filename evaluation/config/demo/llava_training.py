"""Training of the tiny LLaVA on the CPU: first the scores from words, then the pictures."""

import random
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from evaluation.config.demo.llava_lessons import write_drill, write_lesson
from evaluation.config.demo.llava_processor import DIGITS, END, IMAGE
from evaluation.config.demo.progress import Progress
from evaluation.config.demo.scenes import Scene

DRILL_RATE, LESSON_RATE = 6e-3, 3e-3
IGNORED = -100  # of a label: no loss


def drill(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    rng: random.Random,
    *,
    steps: int,
    batch: int,
    progress: Progress,
) -> None:
    """Teach the scores from the names of the things alone; the model is changed in place."""
    parameters = [each for name, each in model.named_parameters() if "projector" not in name]
    for step in _steps(model, parameters, steps, DRILL_RATE):
        progress(step, steps, "drilling the tiny LLaVA")
        _drill_loss(model, tokenizer, rng, batch).backward()
    progress(steps, steps, "drilling the tiny LLaVA")


def teach(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    scenes: Sequence[Scene],
    pixels: Tensor,
    rng: random.Random,
    *,
    steps: int,
    batch: int,
    progress: Progress,
) -> None:
    """Teach what the pictures show, and to answer about them; the model is changed in place."""
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
        ids, mask, labels = _joined(tokenizer, questions, answers)
        seen = pixels[chosen].float()
        loss = model(input_ids=ids, attention_mask=mask, pixel_values=seen, labels=labels).loss
        # What was drilled is forgotten within some dozen steps that do without it.
        (loss + _drill_loss(model, tokenizer, rng, batch)).backward()
    progress(steps, steps, "training the tiny LLaVA")


def _drill_loss(
    model: LlavaForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, rng: random.Random, batch: int
) -> Tensor:
    """Give the loss on the digits of so many drills."""
    digits = torch.tensor([tokenizer.convert_tokens_to_ids(digit) for digit in DIGITS])
    texts = [f" {write_drill(rng)}" for _ in range(batch)]
    tokens = tokenizer(
        texts, padding=True, padding_side="right", add_special_tokens=False, return_tensors="pt"
    )
    ids = tokens["input_ids"]
    labels = ids.masked_fill(~torch.isin(ids, digits), IGNORED)
    loss: Tensor = model(input_ids=ids, attention_mask=tokens["attention_mask"], labels=labels).loss
    return loss


def _steps(
    model: LlavaForConditionalGeneration, parameters: Sequence[Tensor], steps: int, rate: float
) -> Iterator[int]:
    """Go through the steps; after each the gradients that it left move the weights."""
    trained = [each for each in parameters if each.requires_grad]
    optimizer = torch.optim.AdamW(trained, rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.15)
    model.train()
    for step in range(steps):
        yield step
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    model.eval()


def _joined(
    tokenizer: PreTrainedTokenizerFast, questions: list[str], answers: list[str]
) -> tuple[Tensor, Tensor, Tensor]:
    """Put answers behind questions, padded outside of both: tokens, mask, and labels for the answers."""
    asked, said = (
        tokenizer(texts, padding=True, padding_side=side, add_special_tokens=False, return_tensors="pt")
        for texts, side in ((questions, "left"), (answers, "right"))
    )
    ids = torch.cat([asked["input_ids"], said["input_ids"]], 1)
    mask = torch.cat([asked["attention_mask"], said["attention_mask"]], 1)
    labels = ids.masked_fill(mask == 0, IGNORED)
    labels[:, : asked["input_ids"].shape[1]] = IGNORED
    return ids, mask, labels
