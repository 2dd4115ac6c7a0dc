"""A LLaVA with random weights, trained in a second to give one answer; saved as a folder like any other."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPImageProcessorPil,
    CLIPVisionConfig,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)

SPECIAL = ["<s>", "</s>", "<unk>", "<pad>", "<image>"]
PLACES = (32 // 16) ** 2 + 1  # patches and class token
TEMPLATE = (
    "{% for m in messages %}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<image>\n{% else %}{{ c['text'] }} {% endif %}"
    "{% endfor %}{% endfor %}{% if add_generation_prompt %}ASSISTANT:{% endif %}"
)


def save_tiny_llava(folder: Path, *, answer: str = "", steps: int = 70) -> Path:
    """Save model and processor; with an ``answer``, the model gives it to whatever it is shown."""
    processor = _processor()
    torch.manual_seed(1)
    model = LlavaForConditionalGeneration(_config(len(processor.tokenizer)))
    model.generation_config = GenerationConfig(bos_token_id=0, eos_token_id=1, pad_token_id=3)
    if answer:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # several threads are slower at this size
        _teach(model, processor, answer, steps)
        torch.set_num_threads(threads)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def byte_letters() -> Tokenizer:
    """A tokenizer whose tokens are the bytes of a text: it needs no training."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *alphabet])}
    letters = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    letters.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters.decoder = decoders.ByteLevel()
    return letters


def _processor() -> LlavaProcessor:
    square = {"height": 32, "width": 32}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=byte_letters(),
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        extra_special_tokens={"image_token": "<image>"},
    )
    return LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=square),
        tokenizer=tokenizer,
        patch_size=16,
        vision_feature_select_strategy="full",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
        image_token="<image>",
    )


def _config(vocabulary_size: int) -> LlavaConfig:
    layers: dict[str, Any] = {
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "hidden_size": 64,
        "intermediate_size": 128,
    }
    words = LlamaConfig(
        vocab_size=vocabulary_size,
        num_key_value_heads=4,
        initializer_range=0.08,  # with the usual 0.02 a model of this size learns nothing
        max_position_embeddings=1024,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=3,
        **layers,
    )
    return LlavaConfig(
        vision_config=CLIPVisionConfig(image_size=32, patch_size=16, projection_dim=64, **layers),
        text_config=words,
        image_token_index=4,
        image_seq_length=PLACES,
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )


def _teach(model: LlavaForConditionalGeneration, processor: LlavaProcessor, answer: str, steps: int) -> None:
    tokenizer = processor.tokenizer
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    said = [*tokenizer.encode(f" {answer}", add_special_tokens=False), 1]
    for step in range(steps):
        words = f"text {step} ASSISTANT:"
        prompt = [4] * PLACES + tokenizer.encode(words, add_special_tokens=False)
        ids = torch.tensor([prompt + said])
        labels = torch.tensor([[-100] * len(prompt) + said])
        pixels = torch.randn(1, 3, 32, 32)
        loss = model(input_ids=ids, pixel_values=pixels, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
