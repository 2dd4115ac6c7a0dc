"""Whether two texts name the same model: "openai/clip-vit-large-patch14" and "CLIP ViT-L/14" do."""

from __future__ import annotations

import re

_OWNER = re.compile(r"\A\s*[\w.-]+/(?=[^\W\d])")  # not the stroke of ViT-L/14
_WORD = re.compile(r"[^\W\d_]+|\d+")
# How the sizes of vision transformers are written for short.
_SHORT = {"base": "b", "large": "l", "huge": "h", "giant": "g", "patch": ""}


def backbone_key(name: str) -> str:
    """The words and numbers of a model's name without its owner; equal for two names of one model.

    Case, signs between words and the long forms of sizes do not count. Empty for a name without any.
    """
    words = _WORD.findall(_OWNER.sub("", name.casefold()))
    return " ".join(filter(None, (_SHORT.get(word, word) for word in words)))
