"""Power: judges that raise some grades of the results that a family has more of in its first ten."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.simulations.families import MADE, MEASURES, Source, is_named, share, sources
from tests.simulations.real import NAMES
from tests.simulations.rows import Row
from tests.simulations.stacked import Tested, tested
from tests.simulations.studies import raised
from trackside.findings.excess import ALPHA
from trackside.findings.verdicts import GeneralVerdict

SHARES = (0.1, 0.2, 0.5)
MEASURE = MEASURES[0]
HONEST_BESIDE = 7  # judges beside a planted one


@dataclass(frozen=True)
class Planted:
    """A judge raised a share of a family's first tens: the finding, and by how many points Delta rose."""

    share: float
    finding: Tested
    points: float


def planted(tracks: int, seed: int, names: Sequence[str] = (MADE, *NAMES)) -> Iterator[Row]:
    """A row a family and share raised, for each kind of judge."""
    for source in sources(names):
        for setting, judges in source.kinds.items():
            found = [planted_findings(source, judges[at % len(judges)], [seed, at]) for at in range(tracks)]
            yield from (_power_row(setting, column) for column in zip(*found, strict=True))


def planted_findings(source: Source, judge: int, seed: Sequence[int]) -> list[Planted]:
    """One track and one honest judge, who favours each family by each share in turn."""
    rng = np.random.default_rng(seed)
    drawn = source.draw(rng)
    track, honest = drawn.track, drawn.judge(rng, judge)
    plants = [(family, part) for part in SHARES for family in sorted(track.families)]
    models = [honest]
    for family, part in plants:
        exposure = track.exposure(track.families[family])
        models.append(raised(rng, honest, exposure, part, track.scale[-1]))
    before, *after = tested(track, drawn.people, np.array(models), [MEASURE])
    return [
        Planted(part, finding, finding.delta - base.delta)
        for (family, part), findings in zip(plants, after, strict=True)
        for finding, base in zip(findings, before, strict=True)
        if finding.family == family
    ]


def _power_row(setting: str, column: Sequence[Planted]) -> Row:
    findings = [planted.finding for planted in column]
    figures: dict[str, float | None] = {
        "above": share(finding.verdict.is_above for finding in findings),
        "one family": share(
            finding.p is not None and finding.p <= ALPHA and (finding.excess or 0) > 0 for finding in findings
        ),
        "named beside seven": share(is_named(finding, 1 + HONEST_BESIDE) for finding in findings),
        "in general": share(finding.general.verdict is GeneralVerdict.SHOWN for finding in findings),
        "excess": float(np.mean([finding.excess or 0.0 for finding in findings])),
        "planted": float(np.mean([planted.points for planted in column])),
    }
    statistic = f"{findings[0].family}, {findings[0].measure}, {column[0].share:g} raised"
    return Row(statistic, setting, len(column), figures)
