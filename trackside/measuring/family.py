"""A measure, and its family: the measure without cutoff and options, which describes itself."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.measuring.judged import JudgedRun
from trackside.statistics.estimate import Reason
from trackside.text.shown import Outline, Shown

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


@dataclass(frozen=True, slots=True, repr=False)
class Measure(Shown):
    """One measure: its family, cutoff and options. ``str`` gives its name, ``trec_name`` trec_eval's or None.

    ``level`` is the lowest relevant grade, None if the name gives none (then 1). ``points`` are shares of
    recall that replace the family's own, if it has any. ``trec_parameters`` is the text after the dot of
    trec_eval's own name, which trec_eval repeats in its output.
    """

    family: MeasureFamily
    cutoff: float | None = None
    level: int | None = None
    options: tuple[tuple[str, float], ...] = ()
    gains: tuple[tuple[int, float], ...] = ()
    points: tuple[float, ...] = ()
    is_exponential: bool = False
    is_judged_only: bool = False
    trec_parameters: str = field(default="", compare=False)

    def __str__(self) -> str:
        inside = [f"{key}={_short(value)}" for key, value in self.options]
        inside += [f"{grade}={_short(gain)}" for grade, gain in self.gains]
        inside += ["at=" + "/".join(map(_short, self.points))] * bool(self.points)
        if self.is_exponential:
            inside.append("dcg=exp")
        if self.is_judged_only:
            inside.append("judged_only=yes")
        if self.level is not None and (self.level != 1 or self.family.is_graded):
            inside.append(f"rel={self.level}")
        cutoff = "" if self.cutoff is None else f"@{_short(self.cutoff)}"
        return self.family.name + (f"({','.join(inside)})" if inside else "") + cutoff

    def _shown(self) -> Outline:
        return Outline(str(self), ("field", "value"), list(self.family.facts().items()))

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest possible value."""
        least = -math.inf if self.family.can_be_negative else 0.0
        return least, math.inf if self.family.is_unbounded else 1.0

    @property
    def trec_name(self) -> str | None:
        """What trec_eval prints in its first column."""
        name = self.family.trec_name if self.cutoff is None else self.family.trec_cut_name
        if name is None or self.is_exponential or self.is_judged_only:
            return None
        if self.cutoff is not None:
            return (
                f"{name}_{self.cutoff:.2f}"
                if self.family.cut is Cut.FRACTION
                else f"{name}_{self.cutoff:.0f}"
            )
        return f"{name}_{self.trec_parameters}" if self.trec_parameters else name

    @property
    def relevant_from(self) -> int:
        """The lowest relevant grade."""
        return 1 if self.level is None else self.level

    @property
    def depth(self) -> int:
        """The cutoff as a number of results. Only for measures with such a cutoff."""
        return int(self.cutoff or 0)

    @property
    def fraction(self) -> float:
        """The cutoff as a share. Only for measures with such a cutoff."""
        return self.cutoff or 0.0

    def option(self, key: str) -> float:
        """The value of an option, or its default."""
        return dict(self.options).get(key, self.family.defaults.get(key, 0.0))

    def at_level(self, level: int) -> Measure:
        """The same measure at another relevance level, if it takes one. Raises level-given-twice.

        Level 1 is the default and changes nothing: a graded measure stays graded.
        """
        if not self.family.has_level or (self.family.is_graded and self.level is None and level == 1):
            return self
        if self.level is not None:
            raise InputError(
                f"{self}: the level is in the name and also asked for with {level}. Give it once.",
                code="level-given-twice",
            )
        return replace(self, level=level)

    def with_gains(self, gains: Mapping[int, float]) -> Measure:
        """The same measure with other gains, if it takes any."""
        return replace(self, gains=tuple(sorted(gains.items()))) if self.family.has_gains else self


def _short(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:g}"
