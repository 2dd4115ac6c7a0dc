"""A CLIP small enough to be checked in, stored in a folder like any other CLIP.

A judge of medium strength: it names most things and is unsure of settings and styles. Its size was chosen for
that and for its cost, without looking at numbers of a report.
"""

import random
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.init import normal_, trunc_normal_
from transformers import CLIPConfig, CLIPModel, PreTrainedTokenizerFast

from evaluation.running.demo.scenes import SEED, Scene, rng_of
from evaluation.running.demo.texts import TEXTS, caption, name_thing, page_sentences
from tools.tiny_models.training import IMAGE_SIZE, PATCH_SIZE, fit, image_processor, make_tokenizer

LENGTH = 77  # tokens
LAYERS = {"num_hidden_layers": 2, "num_attention_heads": 4, "projection_dim": 48}
VISION = {
    "hidden_size": 128,
    "intermediate_size": 256,
    "image_size": IMAGE_SIZE,
    "patch_size": PATCH_SIZE,
} | LAYERS
"""The vision tower, which the tiny LLaVA also uses."""
STEPS, RATE = 600, 1e-3
NAMING_FIRST, NAMING_SHARE = 0.1, 0.5
"""Shares of the steps, at the start and later, that only name the thing: else it learns names late."""
ALT, REFERENCE, _ = TEXTS["captions"]


def train_clip(folder: Path, scenes: Sequence[Scene], pixels: Tensor, steps: int = STEPS) -> None:
    """Train a CLIP to match these pictures with captions, and save it in the folder."""
    rng = rng_of("captions to learn from", SEED)
    texts = [write(scene, rng) for scene in scenes for write in (name_thing, web_caption, page_caption)]
    tokenizer = make_tokenizer(texts, length=LENGTH, wraps=True)
    model = untrained(tokenizer)

    def loss(step: int, places: Sequence[int], rng: random.Random) -> Tensor:
        batch = [scenes[index] for index in places]
        is_naming = step < NAMING_FIRST * steps or rng.random() < NAMING_SHARE
        write = name_thing if is_naming else rng.choice((web_caption, web_caption, page_caption))
        captions = [write(scene, rng) for scene in batch]
        tokens = tokenizer(captions, padding=True, truncation=True, return_tensors="pt")
        logits = model(**tokens, pixel_values=varied(pixels[places], rng)).logits_per_image
        target = shared([scene.thing for scene in batch] if is_naming else captions)
        return (cross_entropy(logits, target) + cross_entropy(logits.T, target)) / 2

    fit(model, loss, len(scenes), steps=steps, rate=RATE)
    for part in (image_processor(), tokenizer, model.half()):  # the backends compute in single precision
        part.save_pretrained(folder)


def untrained(tokenizer: PreTrainedTokenizerFast) -> CLIPModel:
    """Return the untrained model: half a million weights, some initialised larger than in CLIP.

    At this size CLIP's small initial weights would need a third of the training to grow.
    """
    torch.manual_seed(SEED)
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "max_position_embeddings": LENGTH,
    }
    text |= {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("bos", "eos", "pad")}
    model = CLIPModel(
        CLIPConfig(text_config=text | LAYERS, vision_config=VISION, projection_dim=LAYERS["projection_dim"])
    )
    for name, weights in model.named_parameters():
        if "embedding" not in name and weights.dim() >= 2:
            trunc_normal_(weights, std=0.08)
    normal_(model.vision_model.embeddings.position_embedding.weight, std=0.5)
    normal_(model.text_model.embeddings.token_embedding.weight, std=0.3)
    normal_(model.text_model.embeddings.position_embedding.weight, std=0.05)
    return model


def shared(keys: list[str]) -> Tensor:
    """Return the target of a batch: captions with the same key fit the same pictures."""
    same = torch.tensor([[float(one == other) for other in keys] for one in keys])
    return same / same.sum(dim=1, keepdim=True)


def varied(pixels: Tensor, rng: random.Random) -> Tensor:
    """Shift, mirror and tint a batch, against overfitting."""
    pixels = torch.roll(pixels, (rng.randint(-4, 4), rng.randint(-4, 4)), (2, 3))
    tint = torch.tensor([[[rng.gauss(0, 0.1)]] for _ in range(3)])
    return (pixels.flip(3) if rng.random() < 0.5 else pixels) * rng.uniform(0.8, 1.2) + tint


def web_caption(scene: Scene, rng: random.Random) -> str:
    """Write a web-like caption, usually a description of the picture."""
    text = caption(scene, rng.choice((ALT, ALT, REFERENCE)), rng)
    return f"A photo depicts {text}" if rng.random() < 0.2 else text


def page_caption(scene: Scene, rng: random.Random) -> str:
    """Write a caption with some text of its page, in any order."""
    described = [caption(scene, kind, rng) for kind in (ALT, REFERENCE)]
    parts = [
        f"{scene.thing}. {described[0]}.",
        f"{described[1]}.",
        *rng.sample(page_sentences(scene.thing, rng), 2),
    ]
    return " ".join(rng.sample(parts, len(parts)))
