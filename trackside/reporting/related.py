"""Runs related to a judge: built on the same model, or by the same team."""

import re

import numpy as np

from trackside.arrays import Flags
from trackside.reporting.study import Study

_OWNER = re.compile(r"\A\s*[\w.-]+/(?=[^\W\d])")  # does not match the slash of ViT-L/14
_WORD = re.compile(r"[^\W\d_]+|\d+")
# Abbreviations of the sizes of vision transformers.
_SHORT = {"base": "b", "large": "l", "huge": "h", "giant": "g", "patch": ""}


def backbone_key(name: str) -> str:
    """Return the words and numbers of a model's name without its owner; equal for two names of one model.

    "openai/clip-vit-large-patch14" equals "CLIP ViT-L/14": case, punctuation and the long forms of sizes are
    ignored. Empty for a name without words or numbers.
    """
    words = _WORD.findall(_OWNER.sub("", name.casefold()))
    return " ".join(filter(None, (_SHORT.get(word, word) for word in words)))


def related_runs(study: Study, judge: int) -> tuple[Flags, str]:
    """Flag the runs that share the judge's model or team; the text names the shared property."""
    provenance = study.sets[judge].judge_provenance
    team = provenance.team.casefold()
    names = set(map(backbone_key, provenance.backbones)) - {""}
    same_backbone = np.array(
        [not names.isdisjoint(map(backbone_key, (run.backbone, *run.families))) for run in study.runs]
    )
    same_team = np.array([bool(team) and run.team.casefold() == team for run in study.runs])
    reasons = ["model"] * bool(same_backbone.any()) + ["team"] * bool(same_team.any())
    return same_backbone | same_team, " or ".join(reasons)
