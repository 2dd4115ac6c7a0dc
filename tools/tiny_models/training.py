"""What both tiny models share: pictures to learn from, a tokenizer, the training loop and their folders."""

import random
from collections.abc import Callable, Iterable, Sequence

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor
from transformers import CLIPImageProcessorPil, PreTrainedModel, PreTrainedTokenizerFast

from evaluation.running.demo.drawing import draw
from evaluation.running.demo.scenes import Scene, rng_of, sample_scene

IMAGE_SIZE, PATCH_SIZE = 64, 16
SQUARE = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
START, END, UNKNOWN, PAD, IMAGE = "<s>", "</s>", "<unk>", "<pad>", "<image>"
SPECIAL = (START, END, UNKNOWN, PAD, IMAGE)
DIGITS = "0123456789"
BATCH = 64


def image_processor() -> CLIPImageProcessorPil:
    """Return the processor of both models' images."""
    return CLIPImageProcessorPil(size={"shortest_edge": IMAGE_SIZE}, crop_size=SQUARE)


def training_pictures(seed: int, count: int) -> tuple[list[Scene], Tensor]:
    """Sample scenes and draw them: (scene, channel, height, width). None is in a collection."""
    rng = rng_of("training scenes", seed)
    scenes = [sample_scene(rng) for _ in range(count)]
    drawn = (
        draw(scene, rng_of("training picture", seed, number), scale=1) for number, scene in enumerate(scenes)
    )
    process = image_processor()
    return scenes, torch.cat([process(picture, return_tensors="pt")["pixel_values"] for picture in drawn])


def make_tokenizer(texts: Iterable[str], *, length: int, wraps: bool) -> PreTrainedTokenizerFast:
    """Return a tokenizer of all words in these texts, one token a word and a digit.

    With ``wraps``, each text is put between a start and an end token, which a cut leaves.
    """
    parts = [
        pre_tokenizers.Metaspace(),
        pre_tokenizers.Punctuation(),
        pre_tokenizers.Digits(individual_digits=True),
    ]
    cut = pre_tokenizers.Sequence(parts)
    words = {word for text in texts for word, _ in cut.pre_tokenize_str(text.lower())}
    known = dict.fromkeys([*SPECIAL, *sorted(words | {"▁", *DIGITS})])
    tokenizer = Tokenizer(
        models.WordLevel({word: index for index, word in enumerate(known)}, unk_token=UNKNOWN)
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = cut
    tokenizer.decoder = decoders.Metaspace()
    if wraps:
        ends = [(START, SPECIAL.index(START)), (END, SPECIAL.index(END))]
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{START} $A {END}", special_tokens=ends
        )
    names = {"bos_token": START, "eos_token": END, "unk_token": UNKNOWN, "pad_token": PAD}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        **names,
        model_max_length=length,
        padding_side="right" if wraps else "left",
        extra_special_tokens={"image_token": IMAGE},
    )


def fit(
    model: PreTrainedModel,
    loss: Callable[[int, Sequence[int], random.Random], Tensor],
    count: int,
    *,
    steps: int,
    rate: float,
) -> None:
    """Train the model in place: each step takes the loss of a batch of places among ``count`` pictures."""
    rng, trained = rng_of("training", count), [value for value in model.parameters() if value.requires_grad]
    optimizer = torch.optim.AdamW(trained, rate, betas=(0.9, 0.98), weight_decay=0.03, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    model.train()
    for step in range(steps):
        optimizer.zero_grad()
        loss(step, rng.sample(range(count), BATCH), rng).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
    model.eval()
