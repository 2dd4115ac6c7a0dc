from assessment.core.alike import Sight, group_alike, side_by_side


def test_pictures_that_differ_in_at_most_four_bits_equal_files_and_equal_texts_are_alike() -> None:
    base = 0b1010 << 40
    sights = [
        Sight("a", base),
        Sight("text"),
        Sight("b", base ^ 0b1111),
        Sight("c", base ^ 0b11111 << 20),
        Sight("text"),
        Sight("d"),
        Sight("d"),
        Sight("e", ~base),
        Sight("b", base ^ 0b1111),
    ]
    assert group_alike(sights) == [0, 1, 0, 3, 1, 5, 5, 7, 0]
    assert group_alike([]) == []


def test_pictures_of_other_shapes_are_not_alike() -> None:
    strip, photo, cropped = (Sight(width, 0, width / 200) for width in (4000, 300, 320))
    assert group_alike([strip, photo, cropped]) == [0, 1, 1]


def test_items_of_a_group_come_right_after_its_first_one() -> None:
    groups = {"D1": 0, "D2": 1, "D3": 0, "D4": 1}
    assert side_by_side(["D5", "D4", "D1", "D2", "D3"], groups) == ["D5", "D4", "D2", "D1", "D3"]
