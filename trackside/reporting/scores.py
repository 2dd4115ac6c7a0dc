"""Raw scores of the sets on one scale, from 0 to 1, as Figure 2 of the track paper shows them."""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats
from trackside.reporting.study import PEOPLE, Study


@dataclass(frozen=True, slots=True)
class ScaledScores:
    """Scores on the pairs that people graded: raw from least to most, or grades by the scale's ends."""

    is_raw: bool
    values: Floats

    def quantile(self, share: float) -> float | None:
        """A quantile of the values; None without values."""
        return float(np.quantile(self.values, share)) if self.values.size else None


def scaled_scores(study: Study, place: int) -> ScaledScores:
    """The raw scores of a set, or its grades if it has none."""
    graded = study.grades[PEOPLE] >= 0
    raw = study.raw_scores[place][graded]
    raw = raw[~np.isnan(raw)]
    if raw.size:
        return ScaledScores(is_raw=True, values=_scaled(raw, float(raw.min()), float(raw.max())))
    grades = study.grades[place][graded]
    scale = study.design.scale
    values = _scaled(grades[grades >= 0].astype(np.float64), scale[0], scale[-1])
    return ScaledScores(is_raw=False, values=values)


def _scaled(values: Floats, low: float, high: float) -> Floats:
    scaled: Floats = (values - low) / (high - low) if high > low else np.zeros(values.size)
    return scaled
