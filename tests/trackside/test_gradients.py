"""Perceptual hashes, by pictures whose bits can be told by hand."""

from io import BytesIO

import pytest
from PIL import Image as Picture
from PIL import ImageFilter

from trackside.gradients import colours_of, gradients_of, stored_gradients
from trackside.images import derivatives


def slope(*, is_rising: bool = True) -> Picture.Image:
    """From black at the left to white at the right, or the reverse."""
    rising = Picture.linear_gradient("L").rotate(90)
    return rising if is_rising else rising.rotate(180)


def test_each_pixel_is_lighter_than_its_left_neighbour_or_none_is() -> None:
    assert gradients_of(slope()) == 2**64 - 1
    assert gradients_of(slope(is_rising=False)) == 0


def test_stored_number_is_signed_and_a_flat_picture_has_none() -> None:
    assert stored_gradients(slope()) == -1
    assert stored_gradients(slope(is_rising=False)) == 0
    assert stored_gradients(Picture.new("RGB", (64, 48), "grey")) is None


def test_colours_are_the_means_of_eight_by_eight_parts() -> None:
    halves = Picture.new("RGB", (64, 16), (10, 20, 30))
    halves.paste((200, 100, 0), (32, 0, 64, 16))
    assert colours_of(halves) == (bytes((10, 20, 30)) * 4 + bytes((200, 100, 0)) * 4) * 8


@pytest.mark.parametrize("change", ["smaller", "jpeg", "blurred"])
def test_copies_of_a_picture_differ_in_few_bits(change: str) -> None:
    picture = Picture.effect_mandelbrot((320, 240), (-1.5, -1, 0.6, 1), 100)
    other = picture
    if change == "smaller":
        other = picture.resize((120, 90))
    elif change == "blurred":
        other = picture.filter(ImageFilter.GaussianBlur(2))
    with BytesIO() as file:
        other.convert("RGB").save(file, "JPEG" if change == "jpeg" else "PNG")
        made = derivatives(file.getvalue())
    assert made.gradients is not None
    assert (gradients_of(picture) ^ made.gradients % 2**64).bit_count() <= 4
