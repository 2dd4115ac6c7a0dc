"""A measure without its cutoff and options, as an object that describes itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from trackside.arrays import Floats
from trackside.statistics.estimate import Reason
from trackside.text.shown import Outline, Shown

if TYPE_CHECKING:
    from trackside.measuring.judged import JudgedRun
    from trackside.measuring.names import Measure

_COMMON_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")


Values = Callable[["JudgedRun", "Measure"], Floats]
"""The function of a measure: judged results to one value per topic, NaN where undefined."""


class Cut(Enum):
    """Whether a measure's name has a cutoff after @: a number of results, or a share (of recall, of R)."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"
    FRACTION = "fraction"


class Summary(Enum):
    """How the values of the topics are combined into one number."""

    MEAN = "mean"
    SUM = "sum"
    SUM_FROM_ONE = "sum of all grades from 1 up"
    GEOMETRIC_MEAN = "geometric mean"
    MEDIAN = "median"
    POOLED_MEAN = "mean over documents"
    POOLED_MEDIAN = "median over documents"


@dataclass(frozen=True, slots=True, repr=False)
class MeasureFamily(Shown):
    """A measure without its cutoff and options, which describes itself by the docstring of its function.

    ``citation`` is its source, ``oracle`` what tests compare its values with: trec_eval, for measures that it
    has, if no other is named. ``trec_name`` is trec_eval's name for it without a cutoff, ``trec_cut_name``
    the one with cutoffs, and ``default_cutoffs`` the cutoffs that trec_eval uses by default.
    ``is_whole_number`` values print without decimals; ``is_summary_only`` measures have no line per topic in
    trec_eval's output. ``is_higher_better`` is False for measures that describe a run without ranking it.
    ``can_be_negative`` values can be below 0 without a negative option, ``is_unbounded`` ones above 1.
    ``undefined`` is the only reason for which the function returns NaN.
    """

    name: str
    values: Values = field(compare=False)
    cut: Cut = Cut.NONE
    trec_name: str | None = None
    trec_cut_name: str | None = None
    default_cutoffs: tuple[str, ...] = _COMMON_CUTOFFS
    summary: Summary = Summary.MEAN
    has_level: bool = True
    has_gains: bool = False
    has_points: bool = False
    is_graded: bool = False
    is_sampled: bool = False
    is_whole_number: bool = False
    is_summary_only: bool = False
    is_higher_better: bool = True
    can_be_negative: bool = False
    is_unbounded: bool = False
    defaults: Mapping[str, float] = field(default_factory=dict, compare=False)
    undefined: Reason = Reason.NOTHING_RETRIEVED
    citation: str = field(default="", compare=False)
    oracle: str = field(default="", compare=False)

    @property
    def full_name(self) -> str:
        """The name with a sign for a cutoff that it needs: @k is a number of results, @x a share."""
        return self.name + {Cut.REQUIRED: "@k", Cut.FRACTION: "@x"}.get(self.cut, "")

    @property
    def parameters(self) -> str:
        """What a name can give in parentheses, with the defaults, and a cutoff that it may leave out."""
        texts = {"rel=1": self.has_level, "dcg=log2": self.has_gains, "GRADE=GAIN": self.has_gains}
        texts |= {"at=0/0.1/…/1": self.has_points, "@k": self.cut is Cut.OPTIONAL}
        options = [f"{key}={value:g}" for key, value in self.defaults.items()]
        return ", ".join([*options, *(text for text, is_taken in texts.items() if is_taken)])

    def facts(self) -> dict[str, str]:
        """Return name, description, parameters, citation and oracle."""
        description = inspect.getdoc(self.values) or ""
        oracle = self.oracle or ("trec_eval" if self.trec_name or self.trec_cut_name else "")
        return {
            "name": self.full_name,
            "description": " ".join(description.partition("\n\n")[0].split()),
            "parameters": self.parameters,
            "citation": self.citation,
            "oracle": oracle,
        }

    def _shown(self) -> Outline:
        return Outline(self.name, ("field", "value"), list(self.facts().items()))
