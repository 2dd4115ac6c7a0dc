import numpy as np

from evaluation.core.figures.grid import confusion_grid

MATRIX = np.array([[3, 1, 0], [0, 0, 0], [0, 1, 1]])


def test_cells_are_in_rows_and_show_their_share_of_the_row() -> None:
    grid = confusion_grid(MATRIX, (0, 1, 2))
    first, second = grid.cells[:2]
    assert (first.x, first.y, first.count, first.share, first.opacity) == (75, 47, 3, 0.75, 0.42)
    assert (second.x, second.y, second.share) == (137, 47, 0.25)
    assert first.middle == (105, 77)
    assert [cell.is_same_grade for cell in grid.cells[:5]] == [True, False, False, False, True]


def test_an_empty_row_has_no_shares() -> None:
    assert {cell.share for cell in confusion_grid(MATRIX, (0, 1, 2)).cells[3:6]} == {None}


def test_the_frame_fits_the_scale() -> None:
    grid = confusion_grid(MATRIX, (0, 1, 2))
    assert (grid.frame.width, grid.frame.height) == (270, 236)
    assert [(tick.at, tick.text) for tick in grid.columns] == [(105, "0"), (167, "1"), (229, "2")]
    assert confusion_grid(np.eye(4, dtype=int), (0, 1, 2, 3)).frame.width == 332
