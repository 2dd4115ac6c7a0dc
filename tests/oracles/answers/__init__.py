"""What we answer to a case: for each statistic a function from the case's input to our values by key."""

from collections.abc import Callable
from typing import Any

from tests.oracles.answers import agreement, calibration, comparison, correlation, measures, people, pools

Answer = Callable[[dict[str, Any]], dict[str, Any]]

ANSWERS: dict[str, Answer] = {
    **agreement.ANSWERS,
    **calibration.ANSWERS,
    **comparison.ANSWERS,
    **correlation.ANSWERS,
    **measures.ANSWERS,
    **people.ANSWERS,
    **pools.ANSWERS,
}
