"""A CLIP with random weights, saved as a folder: the real classes and files, a second to make."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from tokenizers import pre_tokenizers
from torch.nn.init import normal_
from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPProcessor, CLIPTokenizer

IMAGE_SIZE = 64
LENGTH = 77  # tokens
LAYERS = {"num_hidden_layers": 2, "num_attention_heads": 4, "projection_dim": 48}
WORDS = ("red", "the", "photo", "barn")
"""Words that are one token, as common words of a real CLIP are; the letters of others are tokens."""


def clip_tokenizer() -> CLIPTokenizer:
    """A tokenizer as CLIP's: bytes, word-final bytes, the merges of a few words, a start and an end token."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [
        (word[:end], word[end] + "</w>" * (end == len(word) - 1))
        for word in WORDS
        for end in range(1, len(word))
    ]
    tokens = [*letters, *(f"{letter}</w>" for letter in letters), *map("".join, merges)]
    vocabulary = dict.fromkeys([*tokens, "<|startoftext|>", "<|endoftext|>"])
    return CLIPTokenizer(
        vocab={token: place for place, token in enumerate(vocabulary)},
        merges=merges,  # type: ignore[arg-type]  # declared as texts, but read as pairs
        model_max_length=LENGTH,
    )


def save_tiny_clip(folder: Path, *, seed: int = 1) -> Path:
    """Save model, tokenizer and image processor as ``from_pretrained`` reads them."""
    tokenizer = clip_tokenizer()
    square = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    images = CLIPImageProcessorPil(size={"shortest_edge": IMAGE_SIZE}, crop_size=square)
    text = {"vocab_size": len(tokenizer), "hidden_size": 64, "intermediate_size": 128} | LAYERS
    text |= {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("bos", "eos", "pad")}
    vision = {
        "hidden_size": 128,
        "intermediate_size": 256,
        "image_size": IMAGE_SIZE,
        "patch_size": 16,
    } | LAYERS
    torch.manual_seed(seed)
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=48))
    for name, weights in model.named_parameters():
        if weights.dim() >= 2:  # with CLIP's small weights all vectors would be nearly the same
            normal_(weights, std=0.3 if "embedding" in name else 0.08)
    model.save_pretrained(folder)
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
