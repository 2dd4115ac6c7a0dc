"""Pictures show their scene."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from evaluation.demo.drawing import SCALE, draw, picture_jpeg
from evaluation.demo.scenes import THINGS, VALUES, Scene, rng_of
from evaluation.demo.shapes import colour_of, read_shape

CASTLE = Scene(thing="castle", setting="meadow", style="photo", colour="blue")


def pixels(scene: Scene) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(draw(scene, rng_of("same place"), scale=1), dtype=np.float64)


def test_picture_jpeg_is_a_picture_of_at_least_336_pixels_a_side() -> None:
    image = Image.open(BytesIO(picture_jpeg(CASTLE, "img0001")))
    assert image.format == "JPEG"
    assert min(image.size) >= 112 * SCALE == 336


@pytest.mark.parametrize("thing", [name for name in THINGS if name != CASTLE.thing])
def test_draw_shows_the_thing(thing: str) -> None:
    """Against a castle in the same place: the pictures differ in more than grain."""
    assert np.abs(pixels(CASTLE) - pixels(replace(CASTLE, thing=thing))).mean() > 3


@pytest.mark.parametrize("colour", [name for name in VALUES["colour"] if name != CASTLE.colour])
def test_draw_shows_the_colour(colour: str) -> None:
    """In the middle of a castle the mean is nearer to its own colour than to the other castle's blue."""
    middle = pixels(replace(CASTLE, colour=colour, style="map"))[60:70, 45:50].mean(axis=(0, 1))
    own, blue = (np.array(colour_of(VALUES["colour"][name])) for name in (colour, "blue"))
    assert np.abs(middle - own).sum() < np.abs(middle - blue).sum()


@pytest.mark.parametrize("setting", [name for name in VALUES["setting"] if name != CASTLE.setting])
@pytest.mark.parametrize("style", VALUES["style"])
def test_draw_shows_the_setting_in_every_style(setting: str, style: str) -> None:
    meadow, other = replace(CASTLE, style=style), replace(CASTLE, style=style, setting=setting)
    assert np.abs(pixels(meadow) - pixels(other)).mean() > 1


def test_draw_puts_the_companion_beside_the_thing() -> None:
    alone, together = pixels(CASTLE), pixels(replace(CASTLE, companion="crown"))
    assert alone.shape == together.shape
    assert np.abs(alone - together).max() > 100


def test_read_shape_reads_corners_circles_and_lines() -> None:
    assert read_shape("box dark -1 0  1 0.5").points == ((-1, 0), (1, 0), (1, 0.5), (-1, 0.5))
    assert read_shape("line white 0.1  0 0  1 1").width == 0.1
    heights = [y for _, y in read_shape("dome main -1 -2  1 2").points]
    assert min(heights) == pytest.approx(-2)  # the upper half, y downwards
    assert max(heights) == pytest.approx(0)
