from io import BytesIO

from PIL import Image, ImageDraw

from assessment.core.alike import Look, Sight, group_alike, side_by_side
from trackside.images import derivatives

GREY = bytes([128] * 192)


def sight(key: str, gradients: int, colours: bytes = GREY, shape: float = 1.5) -> Sight:
    return Sight(key, Look(gradients, colours, shape))


def test_pictures_that_differ_in_at_most_four_bits_equal_files_and_equal_texts_are_alike() -> None:
    base = 0b1010 << 40
    sights = [
        sight("a", base),
        Sight("text"),
        sight("b", base ^ 0b1111),
        sight("c", base ^ 0b11111 << 20),
        Sight("text"),
        Sight("d"),
        Sight("d"),
        sight("e", ~base),
        sight("b", base ^ 0b1111),
    ]
    assert group_alike(sights) == [0, 1, 0, 3, 1, 5, 5, 7, 0]
    assert group_alike([]) == []


def test_pictures_of_other_shapes_are_not_alike() -> None:
    strip, photo, cropped = (sight(str(width), 0, shape=width / 200) for width in (4000, 300, 320))
    assert group_alike([strip, photo, cropped]) == [0, 1, 1]


def test_pictures_of_other_colours_are_not_alike_whatever_stands_between() -> None:
    near, other = (GREY[:190] + bytes([128 + more, 128]) for more in (10, 11))
    assert group_alike([sight("a", 0), sight("b", 0, other), sight("c", 0, near)]) == [0, 1, 0]


def drawn(colour: str, mark: str) -> Sight:
    """A flag of this colour with a mark on it, on white."""
    picture = Image.new("RGB", (320, 240), "white")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((60, 40, 260, 160), fill=colour)
    pen.rectangle((60, 40, 66, 230), fill="black")
    pen.text((140, 60), mark, fill="white", font_size=72)
    with BytesIO() as file:
        picture.save(file, "JPEG", quality=60)
        made = derivatives(file.getvalue())
    assert made.gradients is not None
    assert made.colours is not None
    return sight(colour + mark, made.gradients, made.colours)


def test_flags_of_two_colours_or_with_two_letters_are_not_alike_but_copies_are() -> None:
    red, green = drawn("#b00000", "A"), drawn("#007000", "A")
    assert red.look
    assert green.look
    assert (red.look.gradients ^ green.look.gradients).bit_count() <= 4  # by the light alone they would be
    assert group_alike([red, green, red._replace(key="copy"), drawn("#b00000", "W")]) == [0, 1, 0, 3]


def test_items_of_a_group_come_right_after_its_first_one() -> None:
    groups = {"D1": 0, "D2": 1, "D3": 0, "D4": 1}
    assert side_by_side(["D5", "D4", "D1", "D2", "D3"], groups) == ["D5", "D4", "D2", "D1", "D3"]
