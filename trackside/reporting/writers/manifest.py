"""Write and read the manifest of a bundle. Every field is validated, because uploads are not trusted."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from trackside.errors import InputError
from trackside.findings.plain import PlainUnfit, from_plain, to_plain
from trackside.findings.provenance import JudgeProvenance, PeopleProvenance
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts

MANIFEST = "manifest.json"
FORM = 3  # format version; increase it if an older reader would misread the zip
READABLE = (1, 2, FORM)  # runs of version 1 have neither type nor pool depth, designs below 3 no margins


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSet(SetFacts):
    """A set of qrels in the manifest."""

    provenance: dict[str, Any]
    has_raw_scores: bool

    @property
    def facts(self) -> SetFacts:
        """What a report shows of the set."""
        return SetFacts(**{field.name: getattr(self, field.name) for field in fields(SetFacts)})


@dataclass(frozen=True)
class BundleManifest:
    """The design, the runs, the facts of each set of qrels, and the SHA-256 of each file by path."""

    trackside_bundle: int
    design: Design
    runs: tuple[ReportRun, ...]
    sets: tuple[StoredSet, ...]
    files: dict[str, str]


def manifest_text(
    design: Design, runs: Sequence[ReportRun], sets: Sequence[GradedSet], sums: Mapping[str, str]
) -> str:
    """Return the manifest as JSON."""
    stored = {
        "trackside_bundle": FORM,
        "design": to_plain(design),
        "runs": [asdict(run) for run in runs],
        "sets": [facts_json(graded) | {"has_raw_scores": bool(graded.raw_scores)} for graded in sets],
        "files": dict(sums),
    }
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"


def facts_json(graded: GradedSet) -> dict[str, Any]:
    """The facts of a set of qrels with its provenance."""
    return asdict(graded.facts) | {"provenance": dict(graded.provenance)}


def read_manifest(content: bytes, bundle: str) -> BundleManifest:
    """Parse and validate the manifest. Raises InputError with the field and what it must be."""
    try:
        stored = json.loads(content)
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError
        raise InputError(f"{bundle}: {MANIFEST} is not JSON ({error}). Get the bundle again.") from None
    if isinstance(stored, dict) and stored.get("trackside_bundle", FORM) not in READABLE:
        raise InputError(f"{bundle}: made by another version of Trackside. Use that version, or a newer one.")
    try:
        manifest = from_plain(BundleManifest, stored)
        _check(manifest)
    except PlainUnfit as error:
        raise InputError(f"{bundle}: {MANIFEST}: {error}. Get the bundle again.") from None
    return manifest


def _check(manifest: BundleManifest) -> None:
    """Raise PlainUnfit for values that no report has, or for provenance that cannot be read."""
    design, margins = manifest.design, asdict(manifest.design.margins)
    checks = {
        "runs": ("a list with an item", bool(manifest.runs)),
        "sets": ("a list with an item", bool(manifest.sets)),
        "design.scale": ("rising grades", design.scale and design.scale == tuple(sorted(set(design.scale)))),
        "design.measures": ("a list with an item", bool(design.measures)),
        "design.seed": ("0 or more", design.seed >= 0),
        "design.replicates": ("10 to 1,000,000", 10 <= design.replicates <= 1_000_000),
        "design.margins": (
            "numbers from 0 up",
            all(margin >= 0 and math.isfinite(margin) for margin in margins.values()),
        ),
    }
    for path, (words, is_valid) in checks.items():
        if not is_valid:
            raise PlainUnfit(path, words)
    for index, facts in enumerate(manifest.sets):
        kind = JudgeProvenance if facts.kind == "model" else PeopleProvenance
        kind.from_json(facts.provenance, path=f"sets[{index}].provenance")
