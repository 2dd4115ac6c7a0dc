"""Write and read the manifest of a bundle. Every field is validated, because uploads are not trusted."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.report.design import RUN_BLIND, Design, ReportRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MANIFEST = "manifest.json"
FORM = 2  # format version; increase it if an older reader would misread the zip
READABLE = (1, FORM)  # runs of version 1 have neither type nor pool depth
MOST_SHOWN = 40

_WORDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}
_FACTS = {
    "name": str,
    "version": int,
    "kind": str,
    "sha256": str,
    "pair_count": int,
    "graded_count": int,
    "provenance": dict,
    "has_raw_scores": bool,
}


class NotABundle(InputError):
    """The file is not a bundle, or a newer version of Trackside wrote it."""


@dataclass(frozen=True)
class BundleManifest:
    """The design, the runs, the facts of each set of qrels, and the SHA-256 of each file by path."""

    design: Design
    runs: tuple[ReportRun, ...]
    facts: tuple[Mapping[str, Any], ...]
    sums: Mapping[str, str]


def manifest_text(
    design: Design, runs: Sequence[ReportRun], facts: Sequence[Mapping[str, Any]], sums: Mapping[str, str]
) -> str:
    """Return the manifest as JSON; ``facts`` are those of each set of qrels, with ``has_raw_scores``."""
    stored = {
        "trackside_bundle": FORM,
        "design": {each.name: getattr(design, each.name) for each in fields(Design)},
        "runs": [{each.name: getattr(run, each.name) for each in fields(ReportRun)} for run in runs],
        "sets": [dict(each) for each in facts],
        "files": dict(sums),
    }
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"


def read_manifest(content: bytes, bundle: str) -> BundleManifest:
    """Parse and validate the manifest. Raises NotABundle with the field, its value and how to fix it."""
    try:
        stored = json.loads(content)
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError
        raise NotABundle(f"{bundle}: {MANIFEST} is not JSON ({error}). Get the bundle again.") from None
    place = _Place(bundle, MANIFEST)
    form = place.of(stored, "trackside_bundle", int)
    if form not in READABLE:
        raise NotABundle(f"{bundle}: made by another version of Trackside. Use that version, or a newer one.")
    runs = [_run(each, place.at(f"runs[{at}]")) for at, each in enumerate(place.of(stored, "runs", list))]
    facts = [_set(each, place.at(f"sets[{at}]")) for at, each in enumerate(place.of(stored, "sets", list))]
    if not runs or not facts:
        raise place.wrong("runs" if not runs else "sets", [], "a non-empty list")
    sums = place.of(stored, "files", dict)
    for path in sums:
        place.at("files").of(sums, path, str)
    return BundleManifest(
        _design(place.of(stored, "design", dict), place.at("design")), tuple(runs), tuple(facts), sums
    )


@dataclass(frozen=True)
class _Place:
    """A position in a bundle's manifest, for error messages."""

    bundle: str
    path: str

    def at(self, name: str) -> _Place:
        return _Place(self.bundle, f"{self.path}: {name}" if self.path == MANIFEST else f"{self.path}.{name}")

    def of(self, holder: Any, name: str, kind: type) -> Any:
        """Return the field, checked to be of the kind. Raises NotABundle."""
        if not isinstance(holder, dict):
            raise self.wrong("", holder, _WORDS[dict])
        if name not in holder:
            raise NotABundle(f"{self.bundle}: {self.at(name).path} is missing. Get the bundle again.")
        value = holder[name]
        if kind is float and type(value) is int:
            return float(value)
        # In Python a bool is an int.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(name, value, _WORDS[kind])
        return value

    def all_of(self, holder: Any, name: str, kind: type) -> tuple[Any, ...]:
        """Return a list whose items are all of the kind, as a tuple. Raises NotABundle."""
        found = self.of(holder, name, list)
        inner = self.at(name)
        return tuple(inner.of({f"[{at}]": each}, f"[{at}]", kind) for at, each in enumerate(found))

    def wrong(self, name: str, value: Any, wanted: str) -> NotABundle:
        """Build the error with the field, its value and how to fix it."""
        shown = json.dumps(value, ensure_ascii=False)
        shown = shown if len(shown) <= MOST_SHOWN else shown[:MOST_SHOWN] + "…"
        path = self.at(name).path if name else self.path
        return NotABundle(f"{self.bundle}: {path} is {shown}, not {wanted}. Get the bundle again.")


def _run(stored: Any, place: _Place) -> ReportRun:
    depth = None
    if isinstance(stored, dict) and stored.get("pool_depth") is not None:
        depth = place.of(stored, "pool_depth", int)
    more = {
        name: place.of(stored, name, str) for name in ("type",) if isinstance(stored, dict) and name in stored
    }
    return ReportRun(
        place.of(stored, "tag", str),
        place.of(stored, "team", str),
        place.all_of(stored, "families", str),
        place.of(stored, "backbone", str),
        pool_depth=depth,
        **more,
    )


def _set(stored: Any, place: _Place) -> Mapping[str, Any]:
    for name, kind in _FACTS.items():
        place.of(stored, name, kind)
    facts: Mapping[str, Any] = stored
    return facts


def _design(stored: Any, place: _Place) -> Design:
    strata = place.of(stored, "strata", dict)
    for division in strata:
        stratum_of = place.at("strata").of(strata, division, dict)
        for topic in stratum_of:
            place.at(f"strata.{division}").of(stratum_of, topic, str)
    found = Design(
        scale=place.all_of(stored, "scale", int),
        level=place.of(stored, "level", int),
        measures=place.all_of(stored, "measures", str),
        strata=strata,
        seed=place.of(stored, "seed", int),
        replicates=place.of(stored, "replicates", int),
        alpha=place.of(stored, "alpha", float),
        chosen=place.of(stored, "chosen", str) if "chosen" in stored else "",
        left_out=place.all_of(stored, "left_out", str) if "left_out" in stored else (),
        run_blind=place.of(stored, "run_blind", str) if "run_blind" in stored else RUN_BLIND[0],
    )
    wanted = {
        "scale": ("rising grades", bool(found.scale) and found.scale == tuple(sorted(set(found.scale)))),
        "measures": ("a non-empty list", bool(found.measures)),
        "seed": ("0 or more", found.seed >= 0),
        "replicates": ("10 to 1,000,000", 10 <= found.replicates <= 1_000_000),
        "alpha": ("between 0 and 1", 0 < found.alpha < 1),
        "run_blind": (" or ".join(RUN_BLIND), found.run_blind in RUN_BLIND),
    }
    for name, (words, is_valid) in wanted.items():
        if not is_valid:
            raise place.wrong(name, stored[name], words)
    return found
