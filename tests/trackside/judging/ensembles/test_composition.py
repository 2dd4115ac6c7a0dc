import json
from dataclasses import replace
from typing import Any

import pytest

from tests.refusals import refused
from tests.trackside.judging.ensembles.compositions import BY, GRADED, MAJORITY, VOTES
from trackside.judging.ensembles.composition import Composition, EnsembleMember, composition_of


@pytest.mark.parametrize("composition", [MAJORITY, VOTES])
def test_composition_survives_json(composition: Composition) -> None:
    assert composition_of(json.loads(json.dumps(composition.decoding))) == composition


def test_tie_breaker_is_a_column_of_the_ballots() -> None:
    assert (MAJORITY.tie_breaker_place, VOTES.tie_breaker_place) == (1, 2)


def test_stored_ensemble_by_an_older_rule_can_be_read_but_not_used() -> None:
    with refused("composition-refused", match='"votes" keep their grades'):
        composition_of(VOTES.decoding).checked()


@pytest.mark.parametrize(
    "changes",
    [
        {"members": GRADED[:1], "quorum": 1, "tie_breaker": "a"},
        {"members": GRADED + GRADED[:1]},
        {"members": tuple(EnsembleMember(str(n), "", BY) for n in range(9)), "tie_breaker": "1"},
        {"quorum": 0},
        {"quorum": 4},
        {"tie_breaker": "d"},
        {"rule": "votes"},
    ],
)
def test_invalid_composition_is_refused(changes: dict[str, Any]) -> None:
    with refused("composition-refused"):
        replace(MAJORITY, **changes).checked()


@pytest.mark.parametrize("decoding", [{}, {"rule": "mean"}, MAJORITY.decoding | {"members": [{}]}])
def test_settings_without_a_composition_are_refused(decoding: dict[str, Any]) -> None:
    with refused("composition-refused", match="on the page of its task"):
        composition_of(decoding)
