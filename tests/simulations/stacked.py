"""The tests on families of many judges at once: as ``family_findings`` without favour and tipping point.

The judges' topics are put side by side, so that values and expectations of all judges are one computation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.simulations.studies import Track
from trackside.arrays import Floats, Ints
from trackside.findings.excess import ALPHA, excess_of, family_verdict, general_finding, relative_delta
from trackside.findings.results import GeneralFinding
from trackside.findings.run_blind import Cells, expected_values
from trackside.findings.verdicts import FamilyVerdict, Margins
from trackside.measuring import parse_measure
from trackside.statistics.comparison.multiplicity import adjust


@dataclass(frozen=True)
class Tested:
    """What a report says of one judge, measure and family; ``delta`` is the judge's Relative Delta."""

    measure: str
    family: str
    delta: float
    excess: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    verdict: FamilyVerdict
    general: GeneralFinding


def tested(track: Track, people: Ints, models: Ints, measures: Sequence[str]) -> list[tuple[Tested, ...]]:
    """The findings of each judge, whose grades are a row of ``models`` [judge, pair]."""
    stacked = track.repeated(len(models))
    judge = models.ravel()
    people_of_all = people[None].repeat(len(models), axis=0).ravel()
    cells = Cells(stacked.topic_of_pair, people_of_all, judge, stacked.topic_count)
    shape = len(track.retrieved), len(models), track.topic_count
    found: list[list[Tested]] = [[] for _ in models]
    for measure, table in zip(measures, stacked.values(judge, measures), strict=True):
        values = table.reshape(shape)
        blind = expected_values(parse_measure(measure), cells, stacked.results, seed=1).reshape(shape)
        for model, findings in enumerate(found):
            findings += _of_judge(track, measure, values[:, model], blind[:, model])
    return [tuple(findings) for findings in found]


def _of_judge(track: Track, measure: str, values: Floats, blind: Floats) -> Iterator[Tested]:
    families = sorted(track.families.items())
    excesses = [excess_of(values, blind, is_in, is_constant=False) for _, is_in in families]
    level = 1 - ALPHA / max(sum(excess.p is not None for excess in excesses), 1)
    holm = adjust([excess.p for excess in excesses], "holm")
    for (family, is_in), excess, p_holm in zip(families, excesses, holm, strict=True):
        low, high = excess.ends(level)
        verdict, _ = family_verdict(low, high, margin=Margins().points, visible=None)
        general = general_finding(values, blind, is_in, teams=track.teams, excess=excess, verdict=verdict)
        delta = float(relative_delta(values.mean(axis=1), is_in))
        yield Tested(measure, family, delta, excess.value, low, high, excess.p, p_holm, verdict, general)
