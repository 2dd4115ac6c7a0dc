from __future__ import annotations

import pytest

from trackside.judging.mappings.mapping import NothingToMap
from trackside.judging.mappings.preview import histogram, preview_paper_2024


def test_preview_counts_grades_ties_and_distinct_scores() -> None:
    # Sorted: 1 2 3 3 4 5 6 7 9. numpy's "linear" quantiles of nine scores are the 5th and the 7th: 4 and 6.
    # Below 4: 1 2 3 3. From 4 to 6: 4 5 6. Above 6: 7 9.
    preview = preview_paper_2024([3, 1, 4, 5, 9, 2, 6, 3, 7])

    assert preview.mapping.thresholds == (4, 6)
    assert preview.grade_counts == (4, 3, 2)
    assert preview.tied_counts == (1, 1)
    assert preview.distinct_count == 8


def test_preview_shows_that_equal_scores_give_one_grade() -> None:
    preview = preview_paper_2024([0.5, 0.5, 0.5])

    assert preview.grade_counts == (0, 3, 0)
    assert preview.tied_counts == (3, 3)
    assert preview.mapping.is_degenerate


def test_preview_needs_scores() -> None:
    with pytest.raises(NothingToMap):
        preview_paper_2024([])


def test_histogram_counts_each_score_of_few_and_steps_of_many() -> None:
    assert histogram([3, 1, 3, 2.5]) == [("1", 1), ("2.5", 1), ("3", 2)]

    steps = histogram(range(401))  # 40 steps of 10: ten scores each, the last one eleven

    assert len(steps) == 40
    assert steps[0][0] == "0 to 10"
    assert sum(count for _, count in steps) == 401
    assert steps[-1] == ("390 to 400", 11)
