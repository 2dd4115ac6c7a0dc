"""A LLaVA in the shape of LLaVA-1.5-7B: its configuration and a processor, with or without random weights."""

from pathlib import Path

from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
)

from tests.judges.tiny_llava import byte_processor

IMAGE_PLACES = (336 // 14) ** 2  # 576 patches; LLaVA 1.5 leaves the class token out


def config() -> LlavaConfig:
    """The published configuration of llava-hf/llava-1.5-7b-hf, with our tokenizer's special tokens."""
    vision = CLIPVisionConfig(
        hidden_size=1024,
        intermediate_size=4096,
        num_hidden_layers=24,
        num_attention_heads=16,
        image_size=336,
        patch_size=14,
        projection_dim=768,
    )
    text = LlamaConfig(
        vocab_size=32064,
        hidden_size=4096,
        intermediate_size=11008,
        num_hidden_layers=32,
        num_attention_heads=32,
        max_position_embeddings=4096,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=3,
    )
    return LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=4,
        image_seq_length=IMAGE_PLACES,
        vision_feature_layer=-2,
        vision_feature_select_strategy="default",
    )


def save_without_weights(folder: Path) -> Path:
    """Save everything that ``from_pretrained`` reads, except the weights."""
    config().save_pretrained(folder)
    square = {"height": 336, "width": 336}
    images = CLIPImageProcessorPil(size={"shortest_edge": 336}, crop_size=square)
    byte_processor(images, patch_size=14, strategy="default").save_pretrained(folder)
    return folder


def save_with_weights(folder: Path) -> Path:
    """The same with random weights in bfloat16, 14 GB, made on the GPU."""
    import torch

    save_without_weights(folder)
    torch.manual_seed(1)
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device("cuda"):
            model = LlavaForConditionalGeneration(config())
    finally:
        torch.set_default_dtype(torch.float32)
    model.generation_config = GenerationConfig(bos_token_id=0, eos_token_id=1, pad_token_id=3)
    model.save_pretrained(folder)
    return folder
