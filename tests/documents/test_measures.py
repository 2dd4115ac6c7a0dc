"""docs/measures.md has each measure as its object describes it."""

import runpy

import pytest

from tests.documents.markdown import ROOT
from trackside.measuring.families import FAMILIES
from trackside.measuring.family import MeasureFamily


def test_page_is_that_of_the_list() -> None:
    assert (ROOT / "docs/measures.md").read_text() == runpy.run_path(str(ROOT / "tools/measures.py"))[
        "page"
    ]()


def test_names_in_the_help_are_those_of_the_list() -> None:
    tool = runpy.run_path(str(ROOT / "tools/measures.py"))
    assert tool["MODULE"].read_text() == tool["module"]()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_measure_says_what_it_is_and_what_checks_it(family: MeasureFamily) -> None:
    facts = family.facts()
    assert facts["description"].endswith(".")
    assert facts["oracle"]
