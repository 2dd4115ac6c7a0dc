"""Names of one model as its makers, its users and file names write them."""

import pytest

from evaluation.core.report.favour.backbones import backbone_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("openai/clip-vit-large-patch14", "CLIP ViT-L/14"),
        ("openai/clip-vit-base-patch32", "CLIP ViT-B-32"),
        ("llava-hf/llava-1.5-7b", "LLaVA 1.5 7B"),
        ("GPT-4V", "gpt4v"),
        ("openai/clip", "CLIP"),
    ],
)
def test_names_of_one_model_are_equal(one: str, other: str) -> None:
    assert backbone_key(one) == backbone_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CLIP ViT-L/14", "CLIP ViT-B/32"),
        ("laion/CLIP-ViT-B-32-laion2B-s34B-b79K", "openai/clip-vit-base-patch32"),
        ("llava-1.5-7b", "llava-1.5-13b"),
        ("llava-1.57b", "llava-15-7b"),
        ("ViT-L/14", "14"),
    ],
)
def test_names_of_different_models_are_distinguished(one: str, other: str) -> None:
    assert backbone_key(one) != backbone_key(other)


def test_no_name_has_no_key() -> None:
    assert backbone_key(" – ") == ""
