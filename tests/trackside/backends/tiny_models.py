"""Random weights of the generators that people bring, a few thousand parameters each, saved as folders.

Each folder has the files of a published checkpoint: weights, tokenizer, image processor, and the class of its
processor. Tokenizers are bytes, made on the spot.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers as hf
from transformers import GenerationConfig, PreTrainedTokenizerFast

from tests.judges.tiny_llava import SPECIAL, byte_letters

PADDING, END = SPECIAL.index("<pad>"), SPECIAL.index("</s>")
BLOCK: dict[str, Any] = {
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "hidden_size": 32,
    "intermediate_size": 64,
}
WORDS: dict[str, Any] = BLOCK | {
    "num_key_value_heads": 4,
    "max_position_embeddings": 2048,
    "pad_token_id": PADDING,
}
CLIP_EYE: dict[str, Any] = BLOCK | {"image_size": 32, "patch_size": 16}
ROPE: dict[str, Any] = {"mrope_section": [1, 1, 2], "rope_type": "default", "rope_theta": 10000.0}


class TinyModel(NamedTuple):
    """How to make a model: config and class by the size of the vocabulary and the ids of special tokens."""

    model: str
    config: Callable[[int, dict[str, int]], Any]
    processor: str = ""
    image_processor: str = ""
    sizes: dict[str, Any] = {}
    tokens: tuple[str, ...] = ("<image>",)
    names: dict[str, str] = {"image_token": "<image>"}
    image: str = "<image>"  # what the template writes for a picture
    options: dict[str, Any] = {}  # of the processor
    has_template: bool = True


def _llama(vocabulary: int) -> Any:
    return hf.LlamaConfig(vocab_size=vocabulary, **WORDS)


def _qwen(vocabulary: int) -> Any:
    return hf.Qwen2Config(vocab_size=vocabulary, **WORDS)


def _llava(kind: Any) -> Callable[[int, dict[str, int]], Any]:
    return lambda n, ids: kind(
        vision_config=hf.CLIPVisionConfig(**CLIP_EYE),
        text_config=_llama(n),
        image_token_index=ids["<image>"],
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        **({"image_grid_pinpoints": [[32, 32], [64, 32]]} if "Next" in kind.__name__ else {}),
    )


def _qwen_vl(kind: str, eye: dict[str, Any]) -> Callable[[int, dict[str, int]], Any]:
    return lambda n, ids: getattr(hf, kind)(
        vision_config=eye,
        text_config=WORDS | {"vocab_size": n, "rope_parameters": ROPE, "rope_scaling": ROPE, "head_dim": 8},
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )


QWEN: dict[str, Any] = {
    "image_processor": "Qwen2VLImageProcessorPil",
    "tokens": ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
    "names": {},
    "image": "<|vision_start|><|image_pad|><|vision_end|>",
    "sizes": {"patch_size": 14, "size": {"shortest_edge": 3136, "longest_edge": 12544}},
}
SQUARE: dict[str, Any] = {"size": {"height": 32, "width": 32}}
CLIP_SIZES: dict[str, Any] = {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}
IDEFICS = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>", "<row_1_col_1>")


def _idefics(kind: Any, eye: Any) -> Callable[[int, dict[str, int]], Any]:
    return lambda n, ids: kind(
        vision_config=eye(**BLOCK, image_size=32, patch_size=8),
        text_config=_llama(n),
        image_token_id=ids["<image>"],
        scale_factor=2,
        pad_token_id=PADDING,
    )


GENERATORS: dict[str, TinyModel] = {
    "LLaVA 1.5": TinyModel(
        "LlavaForConditionalGeneration", _llava(hf.LlavaConfig), "LlavaProcessor", "CLIPImageProcessorPil",
        CLIP_SIZES, options={"patch_size": 16, "vision_feature_select_strategy": "default",
                             "num_additional_image_tokens": 1},
    ),
    "LLaVA 1.6": TinyModel(
        "LlavaNextForConditionalGeneration", _llava(hf.LlavaNextConfig), "LlavaNextProcessor",
        "LlavaNextImageProcessorPil", CLIP_SIZES | {"image_grid_pinpoints": [[32, 32], [64, 32]]},
        options={"patch_size": 16, "vision_feature_select_strategy": "default",
                 "num_additional_image_tokens": 1},
    ),
    "LLaVA-OneVision": TinyModel(
        "LlavaOnevisionForConditionalGeneration",
        lambda n, ids: hf.LlavaOnevisionConfig(
            vision_config=hf.SiglipVisionConfig(**CLIP_EYE, vision_use_head=False), text_config=_qwen(n),
            image_token_index=ids["<image>"], video_token_index=ids["<video>"], vision_feature_layer=-1,
            image_grid_pinpoints=[[32, 32], [64, 32]],
        ),
        "LlavaOnevisionProcessor", "LlavaOnevisionImageProcessorPil",
        SQUARE | {"image_grid_pinpoints": [[32, 32], [64, 32]]}, ("<image>", "<video>"),
        {"image_token": "<image>", "video_token": "<video>"},
        options={"num_image_tokens": 4, "vision_feature_select_strategy": "full"},
    ),
    "Qwen2-VL": TinyModel(
        "Qwen2VLForConditionalGeneration",
        _qwen_vl("Qwen2VLConfig", {"depth": 1, "embed_dim": 32, "hidden_size": 32, "num_heads": 4,
                                   "patch_size": 14, "mlp_ratio": 2}),
        "Qwen2VLProcessor", **QWEN,
    ),
    "Qwen2.5-VL": TinyModel(
        "Qwen2_5_VLForConditionalGeneration",
        _qwen_vl("Qwen2_5_VLConfig", {"depth": 1, "hidden_size": 32, "intermediate_size": 64, "num_heads": 4,
                                      "patch_size": 14, "out_hidden_size": 32, "fullatt_block_indexes": [0]}),
        "Qwen2_5_VLProcessor", **QWEN,
    ),
    "Qwen3-VL": TinyModel(
        "Qwen3VLForConditionalGeneration",
        _qwen_vl("Qwen3VLConfig", {"depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 4,
                                   "patch_size": 14, "out_hidden_size": 32, "deepstack_visual_indexes": [0],
                                   "num_position_embeddings": 64}),
        "Qwen3VLProcessor", **QWEN,
    ),
    "InternVL": TinyModel(
        "InternVLForConditionalGeneration",
        lambda n, ids: hf.InternVLConfig(
            vision_config=BLOCK | {"image_size": [32, 32], "patch_size": [8, 8]}, text_config=_qwen(n),
            image_token_id=ids["<IMG_CONTEXT>"], downsample_ratio=0.5,
        ),
        "InternVLProcessor", "GotOcr2ImageProcessorPil", SQUARE,
        ("<img>", "</img>", "<IMG_CONTEXT>", "<video>"),
        {"start_image_token": "<img>", "end_image_token": "</img>", "context_image_token": "<IMG_CONTEXT>",
         "video_token": "<video>"},
        "<IMG_CONTEXT>", {"image_seq_length": 4},
    ),
    "Gemma 3": TinyModel(
        "Gemma3ForConditionalGeneration",
        lambda n, ids: hf.Gemma3Config(
            vision_config=hf.SiglipVisionConfig(**BLOCK, image_size=32, patch_size=8, vision_use_head=False),
            text_config=hf.Gemma3TextConfig(vocab_size=n, **WORDS, head_dim=8),
            image_token_index=ids["<image_soft_token>"], boi_token_index=ids["<start_of_image>"],
            eoi_token_index=ids["<end_of_image>"], mm_tokens_per_image=4,
        ),
        "Gemma3Processor", "Gemma3ImageProcessorPil", SQUARE,
        ("<image_soft_token>", "<start_of_image>", "<end_of_image>"),
        {"image_token": "<image_soft_token>", "boi_token": "<start_of_image>", "eoi_token": "<end_of_image>"},
        "<start_of_image>", {"image_seq_length": 4},
    ),
    "Mllama": TinyModel(
        "MllamaForConditionalGeneration",
        lambda n, ids: hf.MllamaConfig(
            vision_config={"hidden_size": 32, "attention_heads": 4, "num_hidden_layers": 2,
                           "num_global_layers": 1, "intermediate_size": 64, "vision_output_dim": 64,
                           "intermediate_layers_indices": [1], "image_size": 32, "patch_size": 16,
                           "max_num_tiles": 2, "supported_aspect_ratios": [[1, 1], [1, 2], [2, 1]]},
            text_config=WORDS | {"vocab_size": n, "cross_attention_layers": [1],
                                 "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}},
            image_token_index=ids["<|image|>"],
        ),
        "MllamaProcessor", "MllamaImageProcessorPil", SQUARE | {"max_image_tiles": 2}, ("<|image|>",),
        {}, "<|image|>",
    ),
    "SmolVLM": TinyModel(
        "SmolVLMForConditionalGeneration", _idefics(hf.SmolVLMConfig, hf.SmolVLMVisionConfig),
        "SmolVLMProcessor", "SmolVLMImageProcessorPil",
        {"size": {"longest_edge": 32}, "max_image_size": {"longest_edge": 32}}, IDEFICS, {},
        options={"image_seq_len": 4},
    ),
    "Idefics 3": TinyModel(
        "Idefics3ForConditionalGeneration",
        _idefics(hf.Idefics3Config, getattr(hf, "Idefics3VisionConfig", hf.SmolVLMVisionConfig)),
        "Idefics3Processor", "Idefics3ImageProcessorPil",
        {"size": {"longest_edge": 32}, "max_image_size": {"longest_edge": 32}}, IDEFICS, {},
        options={"image_seq_len": 4},
    ),
    "Pixtral": TinyModel(
        "LlavaForConditionalGeneration",
        lambda n, ids: hf.LlavaConfig(
            vision_config=hf.PixtralVisionConfig(**BLOCK, image_size=64, patch_size=16),
            text_config=hf.MistralConfig(vocab_size=n, **WORDS, head_dim=8),
            image_token_index=ids["[IMG]"], vision_feature_layer=-1, vision_feature_select_strategy="full",
        ),
        "PixtralProcessor", "PixtralImageProcessorPil",
        {"size": {"longest_edge": 64}, "patch_size": {"height": 16, "width": 16}},
        ("[IMG]", "[IMG_BREAK]", "[IMG_END]"), {}, "[IMG]", {"patch_size": 16},
    ),
    "PaliGemma": TinyModel(
        "PaliGemmaForConditionalGeneration",
        lambda n, ids: hf.PaliGemmaConfig(
            vision_config=hf.SiglipVisionConfig(**CLIP_EYE, vision_use_head=False),
            text_config=hf.GemmaConfig(vocab_size=n, **WORDS, head_dim=8), image_token_index=ids["<image>"],
            projection_dim=32,
        ),
        "PaliGemmaProcessor", "SiglipImageProcessorPil", SQUARE | {"image_seq_length": 4}, has_template=False,
    ),
    "BLIP-2": TinyModel(
        "Blip2ForConditionalGeneration",
        lambda n, ids: hf.Blip2Config(
            vision_config=CLIP_EYE, qformer_config=BLOCK | {"encoder_hidden_size": 32, "vocab_size": n},
            text_config=hf.OPTConfig(vocab_size=n, hidden_size=32, num_hidden_layers=2, ffn_dim=64,
                                     num_attention_heads=4, word_embed_proj_dim=32).to_dict(),
            num_query_tokens=4, image_token_index=ids["<image>"],
        ),
        "Blip2Processor", "BlipImageProcessorPil", SQUARE, has_template=False,
    ),
}  # fmt: skip


TEMPLATE = (
    "{% for m in messages %}{% for c in m['content'] %}{% if c['type'] == 'image' %}IMAGE\n"
    "{% else %}{{ c['text'] }} {% endif %}{% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}ASSISTANT:{% endif %}"
)


def save_generator(name: str, folder: Path) -> Path:
    """Save the generator of that name with random weights."""
    tiny = GENERATORS[name]
    tokenizer = _tokenizer(tiny.tokens, tiny.names)
    ids = {token: tokenizer.convert_tokens_to_ids(token) for token in tiny.tokens}
    torch.manual_seed(1)
    model = getattr(hf, tiny.model)(tiny.config(len(tokenizer) + 8, ids))
    for weights in model.parameters():
        if not weights.any():  # gates and projections that begin at 0, as if no picture were shown
            torch.nn.init.normal_(weights, std=0.1)
    model.generation_config = GenerationConfig(bos_token_id=0, eos_token_id=END, pad_token_id=PADDING)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    getattr(hf, tiny.image_processor)(**tiny.sizes).save_pretrained(folder)
    classes = {"processor_class": tiny.processor, **tiny.options}
    (folder / "processor_config.json").write_text(json.dumps(classes))
    if tiny.has_template:
        (folder / "chat_template.jinja").write_text(TEMPLATE.replace("IMAGE", tiny.image))
    return folder


def _tokenizer(tokens: tuple[str, ...], names: dict[str, str]) -> Any:
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=byte_letters(),
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        **({"extra_special_tokens": names} if names else {}),
    )
    tokenizer.add_special_tokens(
        {"additional_special_tokens": list(tokens)}, replace_extra_special_tokens=False
    )
    return tokenizer
