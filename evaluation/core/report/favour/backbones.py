"""Normalise model names, so that "openai/clip-vit-large-patch14" equals "CLIP ViT-L/14"."""

from __future__ import annotations

import re

_OWNER = re.compile(r"\A\s*[\w.-]+/(?=[^\W\d])")  # does not match the slash of ViT-L/14
_WORD = re.compile(r"[^\W\d_]+|\d+")
# Abbreviations of the sizes of vision transformers.
_SHORT = {"base": "b", "large": "l", "huge": "h", "giant": "g", "patch": ""}


def backbone_key(name: str) -> str:
    """Return the words and numbers of a model's name without its owner; equal for two names of one model.

    Ignores case, punctuation and the long forms of sizes. Empty for a name without words or numbers.
    """
    words = _WORD.findall(_OWNER.sub("", name.casefold()))
    return " ".join(filter(None, (_SHORT.get(word, word) for word in words)))
