"""A CLIP with random weights, saved as a folder: the real classes and files, a second to make."""

from __future__ import annotations

from pathlib import Path

from transformers import CLIPImageProcessorPil, CLIPProcessor

from evaluation.config.demo.clip_tokenizer import learn_tokenizer
from evaluation.config.demo.tiny_clip import IMAGE_SIZE, untrained

CORPUS = ["a photo depicts a red barn on a hill", "the lighthouse stands by the sea", "page of section"]


def save_tiny_clip(folder: Path, *, seed: int = 1) -> Path:
    """Save model, tokenizer and image processor as ``from_pretrained`` reads them."""
    tokenizer = learn_tokenizer(CORPUS, merges=50)
    square = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    images = CLIPImageProcessorPil(size={"shortest_edge": IMAGE_SIZE}, crop_size=square)
    untrained(tokenizer, seed).save_pretrained(folder)
    CLIPProcessor(images, tokenizer).save_pretrained(folder)
    return folder
