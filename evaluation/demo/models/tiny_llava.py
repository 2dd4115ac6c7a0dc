"""A LLaVA small enough to train on demand, stored in a folder like any other LLaVA.

It uses the tiny CLIP's vision tower, so it cannot distinguish things that this CLIP cannot.
"""

import hashlib
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.init import xavier_uniform_
from transformers import (
    CLIPModel,
    CLIPVisionConfig,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    PreTrainedTokenizerFast,
)
from transformers.utils import logging

from evaluation.demo.models.clip_lessons import training_pixels, training_scenes
from evaluation.demo.models.llava_lessons import corpus
from evaluation.demo.models.llava_processor import END, IMAGE, PAD, START, make_processor, make_tokenizer
from evaluation.demo.models.llava_training import drill, see, teach
from evaluation.demo.models.threads import one_thread
from evaluation.demo.models.tiny_clip import IMAGE_SIZE, PATCH_SIZE, PROJECTION, VISION
from evaluation.demo.progress import Progress
from evaluation.demo.seeds import rng_of

WIDTH = 64
MODULES = ("llava_lessons.py", "llava_processor.py", "llava_training.py", "tiny_llava.py")
CORPUS = 3000  # texts
DRILLS_A_LESSON = 5  # drills are that much shorter


@dataclass(frozen=True)
class LlavaTrainingSize:
    """The size of the training."""

    pictures: int
    drills: int
    steps: int
    batch: int


FULL = LlavaTrainingSize(pictures=3000, drills=240, steps=230, batch=48)


def train_tiny_llava(
    folder: Path, clip: Path, seed: int, progress: Progress, *, recipe: LlavaTrainingSize = FULL
) -> Path:
    """Return the folder of the tiny LLaVA over this CLIP, below `folder`; train the model if it is missing.

    The drill does not need the CLIP, which another process may still train; then wait for it. The folder's
    name contains a hash of everything that determines the weights on one machine. It is written atomically.
    """
    kept = folder / f"tiny-llava-{_key(clip, seed, recipe)}"
    if kept.is_dir():
        return kept
    logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".tiny-llava-") as aside, one_thread():
        made = Path(aside) / "model"
        _make(made, clip, seed, recipe, progress)
        if not kept.is_dir():
            made.rename(kept)
    return kept


def _make(folder: Path, clip: Path, seed: int, recipe: LlavaTrainingSize, progress: Progress) -> None:
    rng = rng_of("llava", seed)
    tokenizer = make_tokenizer(corpus(rng, CORPUS))
    processor = make_processor(tokenizer, IMAGE_SIZE, PATCH_SIZE)
    processor.save_pretrained(folder)
    model = _untrained(tokenizer, seed)
    drill(model, tokenizer, rng, steps=recipe.drills, batch=DRILLS_A_LESSON * recipe.batch, progress=progress)
    scenes = training_scenes(seed, recipe.pictures)
    pixels = training_pixels(scenes, seed, processor.image_processor, progress)
    _copy_vision_tower(model, clip)
    sights = see(model, pixels)
    teach(model, tokenizer, scenes, sights, rng, steps=recipe.steps, batch=recipe.batch, progress=progress)
    model.save_pretrained(folder)


def _untrained(tokenizer: PreTrainedTokenizerFast, seed: int) -> LlavaForConditionalGeneration:
    """Return the untrained model: an empty vision tower, a projector and two language layers."""
    torch.manual_seed(seed)
    model = LlavaForConditionalGeneration(_config(tokenizer))
    model.model.vision_tower.requires_grad_(requires_grad=False)
    for name, weights in model.named_parameters():
        if "projector" in name and weights.dim() == 2:
            xavier_uniform_(weights)
    start, end, pad = (tokenizer.get_vocab()[token] for token in (START, END, PAD))
    model.generation_config = GenerationConfig(bos_token_id=start, eos_token_id=end, pad_token_id=pad)
    return model


def _copy_vision_tower(model: LlavaForConditionalGeneration, clip: Path) -> None:
    """Copy the CLIP's vision tower, which stays frozen; wait if the CLIP is not trained yet."""
    while not clip.is_dir():
        time.sleep(0.2)
    tower = CLIPModel.from_pretrained(clip).vision_model
    model.model.vision_tower.load_state_dict(tower.state_dict())


def _config(tokenizer: PreTrainedTokenizerFast) -> LlavaConfig:
    numbers = tokenizer.get_vocab()
    words = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=2 * WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        initializer_range=0.08,  # with the usual 0.02 a model of this size learns nothing
        max_position_embeddings=512,
        bos_token_id=numbers[START],
        eos_token_id=numbers[END],
        pad_token_id=numbers[PAD],
    )
    return LlavaConfig(
        vision_config=CLIPVisionConfig(**VISION, projection_dim=PROJECTION),
        text_config=words,
        image_token_index=numbers[IMAGE],
        image_seq_length=(IMAGE_SIZE // PATCH_SIZE) ** 2 + 1,
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )


def _key(clip: Path, seed: int, recipe: LlavaTrainingSize) -> str:
    """Hash the CLIP's name (itself a hash of its training), the seed, the recipe and our own source."""
    content = hashlib.sha256(f"{clip.name} {seed} {recipe}".encode())
    for name in MODULES:
        content.update((Path(__file__).parent / name).read_bytes())
    return content.hexdigest()[:16]
