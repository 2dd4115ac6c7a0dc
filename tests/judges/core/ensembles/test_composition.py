from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from judges.core.ensembles.ballots import CombinationRule
from judges.core.ensembles.composition import (
    Composition,
    CompositionRefused,
    EnsembleMember,
    composition_of,
)
from tests.judges.core.ensembles.compositions import CALIBRATION, GRADED, GRADING, MAJORITY, VOTES


@pytest.mark.parametrize("composition", [MAJORITY, VOTES])
def test_composition_survives_json(composition: Composition) -> None:
    assert composition_of(json.loads(json.dumps(composition.decoding))) == composition


def test_scale_is_that_of_the_ballots() -> None:
    assert (MAJORITY.scale, VOTES.scale) == ((0, 1, 2), (0, 2))
    assert (MAJORITY.tie_breaker_place, VOTES.tie_breaker_place) == (1, 2)


@pytest.mark.parametrize(
    "changes",
    [
        {"members": GRADED[:1], "quorum": 1, "tie_breaker": "a"},
        {"members": GRADED + GRADED[:1]},
        {"members": tuple(EnsembleMember(str(n), "", GRADING) for n in range(9)), "tie_breaker": "1"},
        {"quorum": 0},
        {"quorum": 4},
        {"tie_breaker": "d"},
        {"rule": CombinationRule.VOTES},
        {"calibration": CALIBRATION},
    ],
)
def test_invalid_composition_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(CompositionRefused):
        replace(MAJORITY, **changes).checked()


@pytest.mark.parametrize("decoding", [{}, {"rule": "none"}, MAJORITY.decoding | {"members": [{}]}])
def test_settings_without_a_composition_are_refused(decoding: dict[str, Any]) -> None:
    with pytest.raises(CompositionRefused, match="on the page of its task"):
        composition_of(decoding)
