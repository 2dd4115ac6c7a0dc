"""The list of what a bundle holds, checked word by word: a zip from elsewhere may hold anything."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.report.design import Design
from evaluation.core.report.summary import ReportRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MANIFEST = "manifest.json"
FORM = 2  # raised when an older reader would misread the zip
READABLE = (1, FORM)  # runs of the first have neither type nor pool depth
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
    """The file is no zip of ours, or a newer one."""


@dataclass(frozen=True)
class Manifest:
    """What was decided, the runs, the facts of each set of qrels, and the SHA-256 of each file."""

    design: Design
    runs: tuple[ReportRun, ...]
    facts: tuple[Mapping[str, Any], ...]
    sums: Mapping[str, str]


def manifest_text(
    design: Design, runs: Sequence[ReportRun], facts: Sequence[Mapping[str, Any]], sums: Mapping[str, str]
) -> str:
    """The manifest as JSON; ``facts`` are those of the qrels, with ``has_raw_scores``."""
    told = {
        "trackside_bundle": FORM,
        "design": {each.name: getattr(design, each.name) for each in fields(Design)},
        "runs": [{each.name: getattr(run, each.name) for each in fields(ReportRun)} for run in runs],
        "sets": [dict(each) for each in facts],
        "files": dict(sums),
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def read_manifest(content: bytes, bundle: str) -> Manifest:
    """Check every field that is read. Raises NotABundle with its place, what stands there and what to do."""
    try:
        told = json.loads(content)
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError
        raise NotABundle(f"{bundle}: {MANIFEST} is no JSON ({error}). Get the bundle again.") from None
    place = _Place(bundle, MANIFEST)
    form = place.of(told, "trackside_bundle", int)
    if form not in READABLE:
        raise NotABundle(f"{bundle}: made by another version of Trackside. Use that one, or a newer one.")
    runs = [_run(each, place.at(f"runs[{at}]")) for at, each in enumerate(place.of(told, "runs", list))]
    facts = [_set(each, place.at(f"sets[{at}]")) for at, each in enumerate(place.of(told, "sets", list))]
    if not runs or not facts:
        raise place.wrong("runs" if not runs else "sets", [], "a list with something in it")
    sums = place.of(told, "files", dict)
    for path in sums:
        place.at("files").of(sums, path, str)
    return Manifest(
        _design(place.of(told, "design", dict), place.at("design")), tuple(runs), tuple(facts), sums
    )


@dataclass(frozen=True)
class _Place:
    """Where in which bundle something is read."""

    bundle: str
    path: str

    def at(self, name: str) -> _Place:
        return _Place(self.bundle, f"{self.path}: {name}" if self.path == MANIFEST else f"{self.path}.{name}")

    def of(self, holder: Any, name: str, kind: type) -> Any:
        """The field of the kind."""
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
        """The list of that kind, as a tuple."""
        found = self.of(holder, name, list)
        inner = self.at(name)
        return tuple(inner.of({f"[{at}]": each}, f"[{at}]", kind) for at, each in enumerate(found))

    def wrong(self, name: str, value: Any, wanted: str) -> NotABundle:
        """The error that says where, what and what else to do."""
        shown = json.dumps(value, ensure_ascii=False)
        shown = shown if len(shown) <= MOST_SHOWN else shown[:MOST_SHOWN] + "…"
        path = self.at(name).path if name else self.path
        return NotABundle(f"{self.bundle}: {path} is {shown}, not {wanted}. Get the bundle again.")


def _run(told: Any, place: _Place) -> ReportRun:
    depth = None
    if isinstance(told, dict) and told.get("pool_depth") is not None:
        depth = place.of(told, "pool_depth", int)
    more = {name: place.of(told, name, str) for name in ("type",) if isinstance(told, dict) and name in told}
    return ReportRun(
        place.of(told, "tag", str),
        place.of(told, "team", str),
        place.all_of(told, "families", str),
        place.of(told, "backbone", str),
        pool_depth=depth,
        **more,
    )


def _set(told: Any, place: _Place) -> Mapping[str, Any]:
    for name, kind in _FACTS.items():
        place.of(told, name, kind)
    facts: Mapping[str, Any] = told
    return facts


def _design(told: Any, place: _Place) -> Design:
    strata = place.of(told, "strata", dict)
    for division in strata:
        stratum_of = place.at("strata").of(strata, division, dict)
        for topic in stratum_of:
            place.at(f"strata.{division}").of(stratum_of, topic, str)
    found = Design(
        scale=place.all_of(told, "scale", int),
        level=place.of(told, "level", int),
        measures=place.all_of(told, "measures", str),
        strata=strata,
        seed=place.of(told, "seed", int),
        replicates=place.of(told, "replicates", int),
        alpha=place.of(told, "alpha", float),
        chosen=place.of(told, "chosen", str) if "chosen" in told else "",
        left_out=place.all_of(told, "left_out", str) if "left_out" in told else (),
    )
    wanted = {
        "scale": ("rising grades", bool(found.scale) and found.scale == tuple(sorted(set(found.scale)))),
        "measures": ("a list with something in it", bool(found.measures)),
        "seed": ("0 or more", found.seed >= 0),
        "replicates": ("10 to 1,000,000", 10 <= found.replicates <= 1_000_000),
        "alpha": ("between 0 and 1", 0 < found.alpha < 1),
    }
    for name, (words, is_so) in wanted.items():
        if not is_so:
            raise place.wrong(name, told[name], words)
    return found
