"""The mean grade of a judge that gives a probability to each grade, such as by its tokens' likelihood."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from evaluation.core.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class ExpectedGrade:
    """The expected grade, and the probability that fell on the grades of the scale; the rest went elsewhere.

    A small `mass` says that the judge was about to answer something else than a grade.
    """

    value: Estimate
    mass: float


def expected_grade(probabilities: Mapping[int, float], scale: tuple[int, ...]) -> ExpectedGrade:
    """Sum of grade times probability over the scale, renormalised to its mass.

    Probabilities of anything off the scale are left out. Undefined when none fell on the scale.
    """
    valid = {grade: probabilities.get(grade, 0.0) for grade in scale}
    mass = fsum(valid.values())
    if mass <= 0:
        return ExpectedGrade(Estimate.undefined(Reason.EMPTY), 0.0)
    return ExpectedGrade(Estimate.of(fsum(grade * p for grade, p in valid.items()) / mass), mass)
