"""A CLIP small enough to train on demand, stored in a folder like any other CLIP."""

import hashlib
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from torch.nn.init import normal_, trunc_normal_
from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPProcessor, CLIPTokenizer
from transformers.utils import logging

from evaluation.demo.models.clip_lessons import corpus, training_pixels, training_scenes
from evaluation.demo.models.clip_tokenizer import CONTEXT_LENGTH, learn_tokenizer
from evaluation.demo.models.clip_training import train
from evaluation.demo.models.threads import one_thread
from evaluation.demo.progress import Progress

IMAGE_SIZE, PATCH_SIZE, PROJECTION = 64, 16, 48
LAYERS = {"num_hidden_layers": 2, "num_attention_heads": 4}
VISION: dict[str, Any] = {
    "hidden_size": 128,
    "intermediate_size": 256,
    "image_size": IMAGE_SIZE,
    "patch_size": PATCH_SIZE,
    **LAYERS,
}
"""The vision tower, which the tiny LLaVA also uses."""
LLAVA = {"llava_lessons.py", "llava_processor.py", "llava_training.py", "tiny_llava.py"}
MODULES_AFTERWARDS = LLAVA | {"assessors.py", "edition.py", "replication.py", "teams.py", "towers.py"}
PACKAGES_AFTERWARDS = {"retrieval", "steps"}
"""Modules without influence on the model. A module missing here only causes an unneeded training."""


@dataclass(frozen=True)
class ClipTrainingSize:
    """The size of the training."""

    pictures: int
    steps: int
    batch: int
    merges: int


FULL = ClipTrainingSize(pictures=3000, steps=600, batch=64, merges=700)
"""A judge of medium strength: it names seven things of ten and is unsure of settings and styles.

Chosen for that and for its cost, without looking at numbers of a report.
"""


def train_tiny_clip(folder: Path, seed: int, progress: Progress, *, recipe: ClipTrainingSize = FULL) -> Path:
    """Return the folder of the tiny CLIP of this seed, below `folder`; train the model if it is missing.

    The folder's name contains a hash of everything that determines the weights on one machine. It is written
    atomically. Load it with `CLIPModel.from_pretrained` and `CLIPProcessor.from_pretrained`.
    """
    target = folder_of(folder, seed, recipe=recipe)
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".tiny-clip-") as aside, one_thread():
        made = Path(aside) / "model"
        _make(made, seed, recipe, progress)
        if not target.is_dir():
            made.rename(target)
    return target


def folder_of(folder: Path, seed: int, *, recipe: ClipTrainingSize = FULL) -> Path:
    """Return the folder of the CLIP of this seed, even if it is not trained yet."""
    return folder / f"tiny-clip-{_key(seed, recipe)}"


def _make(folder: Path, seed: int, recipe: ClipTrainingSize, progress: Progress) -> None:
    scenes = training_scenes(seed, recipe.pictures)
    tokenizer = learn_tokenizer(corpus(scenes, seed), merges=recipe.merges)
    square = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    images = CLIPImageProcessorPil(size={"shortest_edge": IMAGE_SIZE}, crop_size=square)
    # Before training: a tokenizer saved later would store the padding and truncation of its last call.
    CLIPProcessor(images, tokenizer).save_pretrained(folder)
    model = untrained(tokenizer, seed)
    pixels = training_pixels(scenes, seed, images, progress)
    train(
        model, tokenizer, scenes, pixels, steps=recipe.steps, batch=recipe.batch, seed=seed, progress=progress
    )
    logging.disable_progress_bar()
    model.save_pretrained(folder)


def untrained(tokenizer: CLIPTokenizer, seed: int) -> CLIPModel:
    """Return the untrained model: half a million weights, some initialised larger than in CLIP.

    At this size CLIP's small initial weights would need a third of the training to grow.
    """
    torch.manual_seed(seed)
    model = CLIPModel(_config(tokenizer))
    for name, weights in model.named_parameters():
        if "embedding" not in name and weights.dim() >= 2:
            trunc_normal_(weights, std=0.08)
    normal_(model.vision_model.embeddings.position_embedding.weight, std=0.5)
    normal_(model.text_model.embeddings.token_embedding.weight, std=0.3)
    normal_(model.text_model.embeddings.position_embedding.weight, std=0.05)
    return model


def _config(tokenizer: CLIPTokenizer) -> CLIPConfig:
    shared = {**LAYERS, "projection_dim": PROJECTION}
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "max_position_embeddings": CONTEXT_LENGTH,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    return CLIPConfig(text_config=text | shared, vision_config=VISION | shared, projection_dim=PROJECTION)


def _key(seed: int, recipe: ClipTrainingSize) -> str:
    """Hash the seed, the recipe, the libraries and the source of every module that influences the model."""
    libraries = ("numpy", "pillow", "tokenizers", "torch", "transformers")
    content = hashlib.sha256(f"{seed} {recipe} {[version(name) for name in libraries]}".encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        if path.name not in MODULES_AFTERWARDS and path.parent.name not in PACKAGES_AFTERWARDS:
            content.update(path.read_bytes())
    return content.hexdigest()[:16]
