"""A malformed manifest is refused; the error names the place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.writers.manifest import NotABundle, manifest_text, read_manifest

DESIGN = Design(
    (0, 1, 2), 1, ("AP",), strata={"page": {"T1": "seen"}}, chosen="1 of 2 runs", left_out=("GMAP",)
)
RUN = ReportRun("a", "Kestrel", ("CLIP",), "ViT-B/32", "automatic", 30)
FACTS = {
    "name": "people",
    "version": 1,
    "kind": "human",
    "sha256": "ab" * 32,
    "pair_count": 3,
    "graded_count": 2,
    "provenance": {},
    "has_raw_scores": False,
}


def _content() -> Any:
    return json.loads(manifest_text(DESIGN, [RUN], [FACTS], {"qrels/0.qrels": "cd" * 32}))


def _read(content: object) -> object:
    return read_manifest(json.dumps(content).encode(), "b.zip")


def test_manifest_is_read_as_it_was_written() -> None:
    found = read_manifest(json.dumps(_content()).encode(), "b.zip")
    assert (found.design, found.runs, found.facts) == (DESIGN, (RUN,), (FACTS,))
    assert found.sums == {"qrels/0.qrels": "cd" * 32}


def test_manifest_of_the_first_form_has_neither_type_nor_depth() -> None:
    content = _content() | {"trackside_bundle": 1}
    del (
        content["runs"][0]["type"],
        content["runs"][0]["pool_depth"],
        content["design"]["chosen"],
        content["design"]["left_out"],
    )
    found = read_manifest(json.dumps(content).encode(), "b.zip")
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
        ([], "b.zip: manifest.json is [], not an object. Get the bundle again."),
        ({}, "manifest.json: trackside_bundle is missing"),
        (_with("trackside_bundle", 99), "made by another version of Trackside"),
        (_with("runs", {}), "manifest.json: runs is {}, not a list"),
        (_with("runs", []), "manifest.json: runs is [], not a non-empty list"),
        (_with("runs/0", "a"), 'manifest.json: runs[0] is "a", not an object'),
        (_with("runs/0/families/0", 3), "manifest.json: runs[0].families.[0] is 3, not a text"),
        (_with("runs/0/pool_depth", "30"), 'runs[0].pool_depth is "30", not a whole number'),
        (_with("sets/0/has_raw_scores", 1), "sets[0].has_raw_scores is 1, not true or false"),
        (_with("sets/0/provenance", None), "sets[0].provenance is null, not an object"),
        (_with("design/level", True), "design.level is true, not a whole number"),
        (_with("design/strata/page", ["T1"]), 'design.strata.page is ["T1"], not an object'),
        (_with("design/scale", [2, 1]), "design.scale is [2, 1], not rising grades"),
        (_with("design/replicates", 0), "design.replicates is 0, not 10 to 1,000,000"),
        (_with("design/alpha", 2), "design.alpha is 2, not between 0 and 1"),
        (_with("files/qrels", 1), "files.qrels is 1, not a text"),
    ],
)
def test_manifest_error_names_place_value_and_fix(content: object, words: str) -> None:
    with pytest.raises(NotABundle) as caught:
        _read(content)
    assert words in str(caught.value)


def test_manifest_that_is_no_json_is_refused() -> None:
    with pytest.raises(NotABundle, match=r"manifest\.json is not JSON"):
        read_manifest(b"\xff{", "b.zip")
