"""A malformed manifest is refused; the error names the place."""

import json
from dataclasses import replace
from typing import Any

import pytest

from trackside.errors import InputError
from trackside.files import Qrels
from trackside.findings.verdicts import Margins
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.writers.bundle import BundleManifest, manifest_text, read_manifest

DESIGN = Design(
    (0, 1, 2),
    1,
    ("AP",),
    strata={"page": {"T1": "seen"}},
    chosen="1 of 2 runs",
    left_out=("GMAP",),
    margins=Margins(kappa=0.1),
)
RUN = ReportRun("a", "Kestrel", ("CLIP",), "ViT-B/32", "automatic", 30)
PEOPLE = GradedSet(
    SetFacts(name="people", kind="human", sha256="ab" * 32, pair_count=3, graded_count=2, joined=2),
    Qrels.from_dict({}, name="people"),
    provenance={"rule": "majority"},
)


def _content() -> Any:
    return json.loads(manifest_text(DESIGN, [RUN], [PEOPLE], {"qrels/0.qrels": "cd" * 32}))


def _read(content: object) -> BundleManifest:
    return read_manifest(json.dumps(content).encode(), "b.zip")


def test_manifest_is_read_as_it_was_written() -> None:
    found = read_manifest(json.dumps(_content()).encode(), "b.zip")
    assert (found.design, found.runs) == (DESIGN, (RUN,))
    (stored,) = found.sets
    assert (stored.facts, stored.provenance) == (PEOPLE.facts, {"rule": "majority"})
    assert not stored.has_raw_scores
    assert found.files == {"qrels/0.qrels": "cd" * 32}


def test_older_manifests_are_read_with_defaults() -> None:
    """Those of the second form name how run-blind judges were drawn, and no margins."""
    content = _content()
    del content["design"]["margins"]
    second = content | {"trackside_bundle": 2, "design": content["design"] | {"run_blind": "topic"}}
    assert _read(second).design == replace(DESIGN, margins=Margins())
    first = second | {"trackside_bundle": 1}
    del first["runs"][0]["type"], first["runs"][0]["pool_depth"]
    del first["design"]["chosen"], first["design"]["left_out"], first["design"]["run_blind"]
    found = _read(first)
    assert found.runs == (ReportRun("a", "Kestrel", ("CLIP",), "ViT-B/32"),)
    assert (found.design.chosen, found.design.left_out) == ("", ())


def _with(path: str, value: object) -> Any:
    content = _content()
    holder: Any = content
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in way:
        holder = holder[step]
    holder[last] = value
    return content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "b.zip: manifest.json: the record must be an object"),
        ({}, "trackside_bundle"),
        (_with("trackside_bundle", 99), "made by another version of Trackside"),
        (_with("runs", {}), "runs must be a list"),
        (_with("runs", []), "runs must be a list with an item"),
        (_with("runs/0", "a"), "runs[0] must be an object"),
        (_with("runs/0/families/0", 3), "runs[0].families[0] must be a text"),
        (_with("runs/0/pool_depth", "30"), "runs[0].pool_depth must be a whole number"),
        (_with("sets/0/has_raw_scores", 1), "sets[0].has_raw_scores must be true or false"),
        (_with("sets/0/provenance", None), "sets[0].provenance must be an object"),
        (_with("sets/0/provenance", {"assessors": 3}), "sets[0].provenance.assessors must be an object"),
        (_with("design/level", True), "design.level must be a whole number"),
        (_with("design/strata/page", ["T1"]), "design.strata.page must be an object"),
        (_with("design/scale", [2, 1]), "design.scale must be rising grades"),
        (_with("design/replicates", 0), "design.replicates must be 10 to 1,000,000"),
        (_with("design/margins/kappa", -1), "design.margins must be numbers from 0 up"),
        (_with("design/margins/kappa", "0"), "design.margins.kappa must be a number"),
        (_with("files/qrels", 1), "files.qrels must be a text"),
    ],
)
def test_manifest_error_names_place_and_fix(content: object, words: str) -> None:
    with pytest.raises(InputError) as caught:
        _read(content)
    assert words in str(caught.value)


def test_manifest_that_is_no_json_is_refused() -> None:
    with pytest.raises(InputError, match=r"manifest\.json is not JSON"):
        read_manifest(b"\xff{", "b.zip")
