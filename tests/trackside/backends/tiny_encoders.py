"""Random weights of the dual encoders that people bring, saved as folders like those of `tiny_models`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

from tests.judges.tiny_llava import byte_letters
from tests.trackside.backends.tiny_models import CLIP_SIZES, END, PADDING, SQUARE

TOWER: dict[str, Any] = {
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "intermediate_size": 64,
}
ROBERTA: dict[str, Any] = TOWER | {"max_position_embeddings": 66, "pad_token_id": 1, "type_vocab_size": 1}
DUAL_EYE: dict[str, Any] = TOWER | {"image_size": 32, "patch_size": 16}
SHORT: dict[str, Any] = TOWER | {"max_position_embeddings": 64}


def _altclip(n: int) -> Any:
    texts = ROBERTA | {"vocab_size": n, "project_dim": 32}
    return hf.AltCLIPConfig(text_config=texts, vision_config=DUAL_EYE, projection_dim=32)


def _dual(n: int) -> Any:
    return hf.VisionTextDualEncoderConfig.from_vision_text_configs(
        hf.ViTConfig(**DUAL_EYE), hf.XLMRobertaConfig(vocab_size=n, **ROBERTA), projection_dim=32
    )


def _blip(n: int) -> Any:
    texts = SHORT | {"vocab_size": n, "encoder_hidden_size": 32, "projection_dim": 32}
    eye = DUAL_EYE | {"initializer_range": 0.02}  # BLIP's own is nearly 0
    return hf.BlipConfig(text_config=texts, vision_config=eye, projection_dim=32)


def _texts(kind: str) -> Callable[[int], Any]:
    config = getattr(hf, kind)
    texts = SHORT | {"pad_token_id": PADDING, "bos_token_id": 0, "eos_token_id": END}
    return lambda n: config(text_config=texts | {"vocab_size": n}, vision_config=DUAL_EYE, projection_dim=32)


def _siglip(n: int) -> Any:
    texts = SHORT | {"vocab_size": n, "projection_size": 32}
    return hf.SiglipConfig(text_config=texts, vision_config=DUAL_EYE)


ENCODERS: dict[str, tuple[str, Callable[[int], Any], str]] = {
    "CLIP": ("CLIPModel", _texts("CLIPConfig"), "CLIPImageProcessorPil"),
    "SigLIP": ("SiglipModel", _siglip, "SiglipImageProcessorPil"),
    "SigLIP 2": ("SiglipModel", _siglip, "SiglipImageProcessorPil"),  # of a fixed size: the same classes
    "MetaCLIP 2": ("MetaClip2Model", _texts("MetaClip2Config"), "CLIPImageProcessorPil"),
    "Chinese-CLIP": ("ChineseCLIPModel", _texts("ChineseCLIPConfig"), "ChineseCLIPImageProcessorPil"),
    "AltCLIP": ("AltCLIPModel", _altclip, "CLIPImageProcessorPil"),
    "ViT + RoBERTa": ("VisionTextDualEncoderModel", _dual, "ViTImageProcessorPil"),
    "BLIP": ("BlipModel", _blip, "BlipImageProcessorPil"),
}


def save_encoder(name: str, folder: Path) -> Path:
    """Save the dual encoder of that name with random weights."""
    kind, config, image_processor = ENCODERS[name]
    letters = byte_letters()
    letters.post_processor = TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=letters, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    )
    torch.manual_seed(1)
    getattr(hf, kind)(config(len(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    sizes = CLIP_SIZES if "CLIP" in image_processor else SQUARE
    getattr(hf, image_processor)(**sizes).save_pretrained(folder)
    return folder
