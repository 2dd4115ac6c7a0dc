"""The expected grade of a judge that gives each grade a probability, such as by token likelihood."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from trackside.statistics.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class ExpectedGrade:
    """The expected grade, and `mass`: the total probability of the grades of the scale.

    A small `mass` means that the judge was likely to answer something other than a grade.
    """

    value: Estimate
    mass: float


def expected_grade(probabilities: Mapping[int, float], scale: tuple[int, ...]) -> ExpectedGrade:
    """Return the sum of grade times probability over the scale, renormalised by its mass.

    Probabilities off the scale are ignored. Undefined if the mass is 0.
    """
    valid = {grade: probabilities.get(grade, 0.0) for grade in scale}
    mass = fsum(valid.values())
    if mass <= 0:
        return ExpectedGrade(Estimate.undefined(Reason.EMPTY), 0.0)
    return ExpectedGrade(Estimate.of(fsum(grade * p for grade, p in valid.items()) / mass), mass)
