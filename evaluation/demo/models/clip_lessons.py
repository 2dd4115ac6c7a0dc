"""Training data of the tiny CLIP: pictures and captions of scenes that are in no collection."""

import random
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import CLIPImageProcessorPil

from evaluation.demo.drawing.pictures import draw
from evaluation.demo.progress import Progress
from evaluation.demo.scenes import Scene, sample_scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.texts.articles import page_sentences
from evaluation.demo.texts.captions import alt_text, reference_caption, with_article
from evaluation.demo.things import THINGS

NAMING_SHARE = 0.5
"""Share of steps whose captions only name the thing; without them the model learns the names late."""
NAMING_FIRST = 0.08
"""Share of all steps, at the start, whose captions only name the thing."""
LONG_EVERY = 6
"""Interval of steps with long, page-like captions; their batch is halved."""


BATCH = 200  # pictures between two progress reports


@dataclass(frozen=True)
class CaptionBatch:
    """One step: indices of pictures, a caption for each, and the key by which captions count as equal."""

    places: list[int]
    captions: list[str]
    keys: list[str]


def training_scenes(seed: int, count: int) -> list[Scene]:
    """Sample the training scenes."""
    rng = rng_of("training scenes", seed)
    return [sample_scene(rng) for _ in range(count)]


def training_pixels(
    scenes: list[Scene], seed: int, processor: CLIPImageProcessorPil, progress: Progress
) -> Tensor:
    """Draw and preprocess the pictures, (scene, channel, height, width) in half precision to save memory.

    No collection uses their seeds, so none of the pictures is in a collection.
    """
    text, parts = "drawing pictures to learn from", []
    for start in range(0, len(scenes), BATCH):
        progress(start, len(scenes), text)
        some = range(start, min(start + BATCH, len(scenes)))
        pictures = [draw(scenes[place], rng_of("training picture", seed, place), scale=1) for place in some]
        parts.append(processor(pictures, return_tensors="pt")["pixel_values"].half())
    progress(len(scenes), len(scenes), text)
    return torch.cat(parts)


def corpus(scenes: list[Scene], seed: int) -> list[str]:
    """Write captions to train the tokenizer on."""
    rng = rng_of("training corpus", seed)
    return [write(scene, rng) for scene in scenes for write in (web_caption, long_caption)]


def lesson(step: int, steps: int, places: list[int], scenes: list[Scene], rng: random.Random) -> CaptionBatch:
    """Choose this step's kind of captions and write them."""
    if step % LONG_EVERY == LONG_EVERY - 1:
        places = places[: len(places) // 2]
        captions = [long_caption(scenes[place], rng) for place in places]
        return CaptionBatch(places, captions, captions)
    if step < NAMING_FIRST * steps or rng.random() < NAMING_SHARE:
        captions = [naming_caption(scenes[place], rng) for place in places]
        return CaptionBatch(places, captions, [scenes[place].thing for place in places])
    captions = [web_caption(scenes[place], rng) for place in places]
    return CaptionBatch(places, captions, captions)


def naming_caption(scene: Scene, rng: random.Random) -> str:
    """Write only the name of the thing."""
    thing = THINGS[scene.thing]
    name = rng.choice(thing.aliases) if rng.random() < 0.2 else thing.name
    return rng.choice([name, with_article(name), f"a photo of {with_article(name)}", f"the {name}"])


def web_caption(scene: Scene, rng: random.Random) -> str:
    """Write a web-like caption, usually a description of the picture."""
    kind = rng.random()
    if kind < 0.6:
        return alt_text(scene, rng)
    return reference_caption(scene, rng) if kind < 0.85 else f"A photo depicts {alt_text(scene, rng)}"


def long_caption(scene: Scene, rng: random.Random) -> str:
    """Write a caption with some text of its page."""
    parts = [
        f"{scene.thing.capitalize()}. {alt_text(scene, rng).capitalize()}.",
        *rng.sample(page_sentences(scene.thing, rng), 2),
        f"{reference_caption(scene, rng)}.",
    ]
    if rng.random() < 0.5:
        rng.shuffle(parts)
    return " ".join(parts)
