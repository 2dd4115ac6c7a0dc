"""A SigLIP with random weights, saved as a folder: the real classes and files, a second to make."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast, SiglipConfig, SiglipImageProcessorPil, SiglipModel

from trackside.arrays import Floats

SIDE, PLACES = 32, 16


def save_tiny_siglip(folder: Path, **of_tokenizer: bool) -> Path:
    """Save model, tokenizer and image processor as ``from_pretrained`` reads them."""
    torch.manual_seed(2)
    layers = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    tokenizer = _tokenizer(**of_tokenizer)
    text = {"vocab_size": len(tokenizer), "max_position_embeddings": PLACES, "projection_size": 32}
    config = SiglipConfig(
        text_config=text | layers, vision_config={"image_size": SIDE, "patch_size": 16} | layers
    )
    model = SiglipModel(config)
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_(std=0.2)  # else all vectors are nearly alike
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    SiglipImageProcessorPil(size={"height": SIDE, "width": SIDE}).save_pretrained(folder)
    return folder


def _tokenizer(**settings: bool) -> PreTrainedTokenizerFast:
    """Letters; an end token, and no start token and no attention mask, as SigLIP has it."""
    letters = [*"abcdefghijklmnopqrstuvwxyz"]
    vocabulary = {word: place for place, word in enumerate(["<pad>", "</s>", "<unk>", *letters])}
    words = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=words,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_input_names=["input_ids"],
        model_max_length=PLACES,
        **settings,
    )


def plain_chances(
    folder: Path, texts: list[str], images: list[Image.Image]
) -> tuple[NDArray[np.float32], Floats]:
    """The usual loop over transformers: cosine and chance of a match, a row a text, one pair at a time.

    SigLIP's chance of a pair is the sigmoid of its scaled and shifted cosine: no softmax over the batch.
    """
    model = SiglipModel.from_pretrained(folder).eval()
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    processor = SiglipImageProcessorPil.from_pretrained(folder)
    cosines, chances = [], []
    for text in texts:
        tokens = tokenizer([text], padding="max_length", truncation=True, return_tensors="pt")
        for image in images:
            pixels = processor([image], return_tensors="pt")
            with torch.inference_mode():
                found = model(input_ids=tokens["input_ids"], pixel_values=pixels["pixel_values"])
            similarity = torch.nn.functional.cosine_similarity(found.text_embeds, found.image_embeds)
            cosines.append(similarity.item())
            chances.append(torch.sigmoid(found.logits_per_text).item())
    shape = (len(texts), len(images))
    return np.array(cosines, np.float32).reshape(shape), np.array(chances).reshape(shape)


def scale_and_shift(folder: Path) -> tuple[float, float]:
    """Scale and shift that turn a cosine into the logit of a match."""
    model = SiglipModel.from_pretrained(folder)
    return model.logit_scale.exp().item(), model.logit_bias.item()
