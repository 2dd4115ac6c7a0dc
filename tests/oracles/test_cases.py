import os
from pathlib import Path

import pytest

from tests.oracles.cases import compare, load, summary

SHARED = os.environ.get("TRACKSIDE_CASES")


@pytest.mark.skipif(SHARED is None, reason="TRACKSIDE_CASES names no folder of cases")
def test_every_shared_statistic_equals_its_oracle() -> None:
    cases = load(Path(str(SHARED)) / "cases" / "statistics")
    rows = [row for case in cases for row in compare(case)]
    assert len(cases) >= 87
    assert all(row.is_equal for row in rows), summary(rows)
