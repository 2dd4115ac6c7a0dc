"""Runs related to a judge: built on the same backbone, or by the same team."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favour.backbones import backbone_key

if TYPE_CHECKING:
    from evaluation.core.arrays import Flags
    from evaluation.core.report.study import Study


def related_runs(study: Study, judge: int) -> tuple[Flags, str]:
    """Flag the runs that share the judge's backbone or team; the text names the shared property."""
    provenance = study.sets[judge].provenance
    team = str(provenance.get("team") or "").casefold()
    members = (provenance.get("ensemble") or {}).get("backbones") or ()
    names = {backbone_key(str(name or "")) for name in (provenance.get("backbone"), *members)} - {""}
    same_backbone = np.array(
        [not names.isdisjoint(map(backbone_key, (run.backbone, *run.families))) for run in study.runs]
    )
    same_team = np.array([bool(team) and run.team.casefold() == team for run in study.runs])
    reasons = ["same backbone"] * bool(same_backbone.any()) + ["same team"] * bool(same_team.any())
    return same_backbone | same_team, " or ".join(reasons)
