"""Contrastive training of a tiny CLIP on the CPU."""

import random
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize
from transformers import CLIPModel, CLIPTokenizer

from evaluation.demo.models.clip_lessons import CaptionBatch, lesson
from evaluation.demo.progress import Progress
from evaluation.demo.scenes import Scene
from evaluation.demo.seeds import rng_of

LEARNING_RATE = 1e-3
HIGHEST_SCALE = 100.0
"""Upper bound of the inverse temperature, as in CLIP."""


def train(
    model: CLIPModel,
    tokenizer: CLIPTokenizer,
    scenes: list[Scene],
    pixels: Tensor,
    *,
    steps: int,
    batch: int,
    seed: int,
    progress: Progress,
) -> None:
    """Train the model in place to match captions and pictures."""
    rng = rng_of("training", seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), LEARNING_RATE, betas=(0.9, 0.98), weight_decay=0.05, fused=True
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps, pct_start=0.1)
    batches = _batches(len(scenes), batch, rng)
    model.train()
    for step in range(steps):
        if step % 20 == 0:
            progress(step, steps, "training the tiny CLIP")
        loss = _loss(model, tokenizer, pixels, lesson(step, steps, next(batches), scenes, rng), rng)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    progress(steps, steps, "training the tiny CLIP")
    model.eval()


def _batches(count: int, batch: int, rng: random.Random) -> Iterator[list[int]]:
    """Yield batches of picture indices forever, reshuffled in each epoch."""
    while True:
        places = rng.sample(range(count), count)
        for start in range(0, max(1, count - batch + 1), batch):
            yield places[start : start + batch]


def _loss(
    model: CLIPModel, tokenizer: CLIPTokenizer, pixels: Tensor, batch: CaptionBatch, rng: random.Random
) -> Tensor:
    """Return the symmetric contrastive loss; captions with the same key share the target."""
    tokens = tokenizer(batch.captions, padding=True, truncation=True, return_tensors="pt")
    seen = _varied(pixels[batch.places].float(), rng)
    images = normalize(model.get_image_features(pixel_values=seen).pooler_output, dim=-1)
    texts = normalize(model.get_text_features(**tokens).pooler_output, dim=-1)
    similarity = model.logit_scale.exp().clamp(max=HIGHEST_SCALE) * images @ texts.T
    target = _targets(batch.keys)
    return (cross_entropy(similarity, target) + cross_entropy(similarity.T, target)) / 2


def _targets(keys: list[str]) -> Tensor:
    """Spread each row's probability over the captions with the same key."""
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    row = torch.tensor([numbers[key] for key in keys])
    same = (row[:, None] == row[None, :]).float()
    return same / same.sum(dim=1, keepdim=True)


def _varied(pixels: Tensor, rng: random.Random) -> Tensor:
    """Augment a batch by small shifts, mirroring and tints, against overfitting."""
    generator = torch.Generator().manual_seed(rng.getrandbits(62))
    pixels = torch.roll(pixels, (rng.randint(-4, 4), rng.randint(-4, 4)), (2, 3))
    if rng.random() < 0.5:
        pixels = pixels.flip(3)
    contrast = 1 + 0.1 * torch.randn(len(pixels), 1, 1, 1, generator=generator)
    return pixels * contrast + 0.1 * torch.randn(len(pixels), 3, 1, 1, generator=generator)
