"""A judge's passport as plain facts: what is known of one version of a judge on one task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trackside.findings.plain import to_plain
from trackside.findings.provenance import MappingFacts, Susceptibility, TextsSeen, Work
from trackside.findings.use_results import Uses
from trackside.judging.canaries import Place
from trackside.judging.controls import Looked

FORM = 1  # version of the JSON; increase it if an older reader would misread one
THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a part is not known, and how to get it."""

    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """The sides of a pair whose texts and whose pictures the judge reads, its fields, and its pictures' size.

    ``fields`` is empty for all fields. ``image_distance`` is the largest distance, in a sample, between the
    vectors of a smaller copy and of the upload.
    """

    texts: tuple[str, ...]
    pictures: tuple[str, ...]
    fields: tuple[str, ...]
    image_size: str
    image_distance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The latest probe that ended: for each change the verdict as ``word``, the loss, and gaps by outcome.

    ``people`` names the grades of people that it compares with; empty if it compares the judge with itself.
    ``gaps`` are pairs of the sample itself without a score, by outcome. ``error`` is why there are no
    results. ``request_count`` counts requests with their repetitions, ``stored_count`` answers from earlier
    jobs.
    """

    job: int
    ended_at: str
    seed: int
    margin: float
    pair_count: int
    people: str
    rule: str
    gaps: dict[str, int]
    results: tuple[dict[str, Any], ...]
    error: str
    request_count: int
    stored_count: int
    cost_micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """What the controls of the job show, in words and counts."""

    says: str
    counts: Looked | None


@dataclass(frozen=True, slots=True)
class SaidUse:
    """One use as the report's first page says it."""

    name: str
    title: str
    margin: str
    level: str
    word: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportUses:
    """The five uses of the judge's row in a report, in its words, and the numbers behind them."""

    report_sha256: str
    computed_at: str
    measure: str
    graded: str
    whole: str
    uses: tuple[SaidUse, ...]
    numbers: Uses


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Agreement with a judge that differs in the seed alone, over the pairs that both graded."""

    judge: str
    seed: int | None
    pair_count: int
    same_count: int
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Canaries:
    """The shift by instructions in each place; grades by ``rule``, which is None before a rule is frozen."""

    rule: MappingFacts | None
    rows: tuple[Susceptibility, ...]

    @property
    def has_invisible(self) -> bool:
        """Whether an instruction was invisible to people, which jobs of earlier releases have none of."""
        return any(row.place == Place.INVISIBLE for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """Chances that people give at least ``level``; ``is_own`` if the judge's probabilities are the chances.

    Otherwise they are fitted to people's grades of other topics. ``bins`` has the number of pairs, the mean
    chance and the share at ``level`` of each tenth of the chances. ``brier_interval`` is None with few
    topics; ``ece`` and bins have no interval that contains the true value as often as it should.
    """

    level: int
    is_own: bool
    pair_count: int
    topic_count: int
    bins: tuple[tuple[int, float, float], ...]
    ece: float
    brier: float
    brier_interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Cost and time of 1,000 pairs, from the work of the job; None if unknown.

    The time is from the first shard to the end of the job, with pauses.
    """

    work: Work
    cost_micros: float | None
    seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Passport:
    """What is known of a judge on a task. A part that is None has its reason in ``unknown``.

    ``pool`` is that of the job whose numbers these are, empty before a job has ended.
    """

    trackside_passport: int = FORM
    judge: str
    task: str
    pool: str
    settings: dict[str, Any]
    reads: Reads | None
    cut: TextsSeen | None
    self_test: str | None
    probes: Probed | None
    controls: Controls | None
    uses: ReportUses | None
    repeats: tuple[Repeat, ...] | None
    canaries: Canaries | None
    calibration: Calibrated | None
    rate: Rate | None
    unknown: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The passport as plain JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain
