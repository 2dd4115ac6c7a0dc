"""Where grades come from: records that people's and models' apps publish with qrels, as plain JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from trackside.findings.plain import from_plain, to_plain

FORM = 1  # version of the records; increase it if an older reader would misread one


class _Stored:
    """Plain JSON of a provenance record, and back."""

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], *, path: str = "") -> Self:
        """Restore a record, also of earlier code. Raises PlainUnfit, which names the field below ``path``."""
        return from_plain(
            cls, {name: value for name, value in stored.items() if value is not None}, path=path
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Topics and pairs that more than one assessor graded."""

    topics: int
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludedJudgments:
    """Judgments of an assessor, by pseudonym, that do not count: how many, why, and which.

    ``topic`` is empty for all topics. ``since`` and ``until`` are ISO 8601 times, None without a bound.
    """

    assessor: str
    count: int
    reason: str
    topic: str = ""
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, kw_only=True)
class PeopleProvenance(_Stored):
    """Grades of people: the rule that made one grade of several, judgments by pseudonym, and outcomes.

    ``excluded`` are judgments that do not count in the grades. ``third`` are a third person's
    grades, by topic and docno, which are no part of these qrels. ``nominal`` counts by topic the pairs whose
    answer is the one beside the grades, ``nominal_name``: they are judged, and in no qrels.
    """

    form: int = FORM
    rule: str = ""
    pools: tuple[str, ...] = ()
    criteria: tuple[int, ...] = ()
    assessors: dict[str, int] = field(default_factory=dict)
    overlap: Overlap | None = None
    excluded: tuple[ExcludedJudgments, ...] = ()
    outcomes: dict[str, int] = field(default_factory=dict)
    third: dict[str, dict[str, int]] = field(default_factory=dict)
    nominal_name: str = ""
    nominal: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOrder:
    """The order in which a judge reads a pair: the image "first", "last" or "between", and the fields."""

    image: str | None
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingFacts:
    """The rule that maps raw scores to grades, None for an infinite threshold, and what it was fitted on."""

    rule: str
    version: int = 1
    thresholds: tuple[float | None, ...] = ()
    by_topic: dict[str, Any] = field(default_factory=dict)
    n: int = 0
    pool: str = ""
    people: str | None = None
    fitting_topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldSeen:
    """One text field: how many texts have it, and how many of its tokens the model reads; None if unknown."""

    field: str
    texts: int
    tokens: int | None
    seen_tokens: int | None
    never_seen_count: int

    @property
    def share(self) -> float | None:
        """The share of the field's tokens that the model reads, from 0 to 1; None if unknown."""
        return self.seen_tokens / self.tokens if self.tokens and self.seen_tokens is not None else None


@dataclass(frozen=True, slots=True)
class TextsSeen:
    """``count`` texts of topics and documents; in ``cut_count`` of them the model skips some tokens."""

    count: int
    cut_count: int
    fields: tuple[FieldSeen, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The work of a job. None is unknown, and never 0; the seven after ``pair_count`` need requests.

    ``asked_count`` counts the pairs, with canaries, that this job sent to the model; ``stored_count`` the
    pairs of the pool that an earlier job of the judge had answered, at no cost here; ``request_count`` the
    requests sent, with retries. Tokens and cost are sums over all requests; one with an unknown bill is
    charged at its upper bound. ``cost_micros`` are millionths of ``currency``, an ISO 4217 code.
    ``latency_seconds`` sums the time from each pair's last request to its response, ``duration_seconds`` is
    from the first shard to the end of the job, with pauses and retries.
    """

    pair_count: int
    asked_count: int | None = None
    stored_count: int | None = None
    request_count: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_micros: int | None = None
    currency: str | None = None
    latency_seconds: float | None = None
    duration_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Susceptibility:
    """The effect of an injected instruction in one place on the scores of unrelated pairs.

    ``shift`` is the mean raw score with the instruction minus that without, over ``scene_count`` scenes with
    both; ``gap_count`` lack one. ``raised_count`` of them have a higher grade with the instruction, None
    without a mapping for all topics.
    """

    place: str
    shift: float | None
    scene_count: int
    raised_count: int | None
    gap_count: int


@dataclass(frozen=True, kw_only=True)
class JudgeProvenance(_Stored):
    """Grades of a model: settings, prompt, mapping, work, texts read, and susceptibility to injected text.

    - ``identity``: the SHA-256 of the settings without order and seed. Equal identity and order with
      different seeds are test and retest; equal identity with different orders shows the order's effect.
    - ``decoding``: the options of the model's requests or generation; ``leave_out`` names options not sent.
    - ``texts`` is None if the amount of text read is unknown, ``prompt_sha256`` without a prompt.
    - ``warnings``: sentences about fields that were hardly read, and about grades that no pair got.
    - ``ensemble``, only for ensembles: members with the hash of their ballots, backbones, and agreement.
    - ``team`` is the team that made the judge, for qrels from files.
    """

    form: int = FORM
    judge: str = ""
    team: str = ""
    identity_sha256: str = ""
    identity: str = ""
    order: ReadingOrder | None = None
    seed: int | None = None
    backend: str = ""
    backend_revision: int | None = None
    backbone: str = ""
    backbone_revision: str = ""
    dtype: str = ""
    text_fields: tuple[str, ...] = ()
    image_size: str = ""
    long_text: str = ""
    decoding: dict[str, Any] = field(default_factory=dict)
    image_distance: float | None = None
    texts: TextsSeen | None = None
    work: Work | None = None
    mapping: MappingFacts | None = None
    left_out_topics: tuple[str, ...] = ()
    susceptibility: tuple[Susceptibility, ...] = ()
    warnings: tuple[str, ...] = ()
    code_version: str = ""
    prompt: str = ""
    prompt_name: str | None = None
    prompt_version: int | None = None
    prompt_sha256: str | None = None
    prompt_source: str | None = None
    ensemble: dict[str, Any] | None = None
    outcomes: dict[str, int] = field(default_factory=dict)

    @property
    def backbones(self) -> tuple[str, ...]:
        """The models behind the grades: the judge's own, or those of an ensemble's members."""
        members = (self.ensemble or {}).get("backbones", ())
        return tuple(name for name in (self.backbone, *members) if name)


@dataclass(frozen=True, kw_only=True)
class ImportProvenance(_Stored):
    """Qrels from an uploaded file: its name and SHA-256, and where the organizer says that it comes from."""

    form: int = FORM
    import_id: int
    file_name: str
    file_sha256: str
    source: str = ""

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON; ``import`` is the primary key of the import."""
        return super().to_json() | {"import": self.import_id}


Provenance = PeopleProvenance | JudgeProvenance | ImportProvenance
