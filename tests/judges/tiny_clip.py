"""A CLIP with random weights, saved as a folder: the real classes and files, a second to make."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from transformers import CLIPImageProcessorPil, CLIPModel, CLIPProcessor

from evaluation.demo.models.clip_tokenizer import learn_tokenizer
from evaluation.demo.models.tiny_clip import IMAGE_SIZE, untrained

CORPUS = ["a photo depicts a red barn on a hill", "the lighthouse stands by the sea", "page of section"]


def save_tiny_clip(folder: Path, *, seed: int = 1) -> Path:
    """Save model, tokenizer and image processor as ``from_pretrained`` reads them."""
    tokenizer = learn_tokenizer(CORPUS, merges=50)
    square = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    images = CLIPImageProcessorPil(size={"shortest_edge": IMAGE_SIZE}, crop_size=square)
    untrained(tokenizer, seed).save_pretrained(folder)
    CLIPProcessor(images, tokenizer).save_pretrained(folder)
    return folder


def plain_cosines(folder: Path, texts: list[str], images: list[Image.Image]) -> NDArray[np.float32]:
    """The usual loop over transformers: one text and one image at a time."""
    model = CLIPModel.from_pretrained(folder).eval()
    processor = CLIPProcessor.from_pretrained(folder)
    rows = []
    for text in texts:
        for image in images:
            inputs = processor(text=[text], images=[image], return_tensors="pt", truncation=True)
            with torch.inference_mode():
                found = model(**inputs)
            rows.append(torch.nn.functional.cosine_similarity(found.text_embeds, found.image_embeds).item())
    return np.array(rows, np.float32).reshape(len(texts), len(images))
