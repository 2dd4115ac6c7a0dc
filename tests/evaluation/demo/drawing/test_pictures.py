"""Pictures show their scene."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from evaluation.demo.drawing.pictures import SCALE, draw, draw_pictures, picture_jpeg
from evaluation.demo.scenes import COLOURS, SETTINGS, STYLES, Scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.things import THINGS
from evaluation.demo.world import CaptionedPicture, World

CASTLE = Scene(thing="castle", colour="blue", setting="meadow", style="photo", companion=None)


def pixels(scene: Scene) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(draw(scene, rng_of("same place"), scale=1), dtype=np.float64)


def test_picture_jpeg_is_a_picture_of_at_least_336_pixels_a_side(world: World) -> None:
    picture = world.suggestion.documents[0]
    assert isinstance(picture, CaptionedPicture)
    image = Image.open(BytesIO(picture_jpeg(picture)))
    assert image.format == "JPEG"
    assert min(image.size) >= 112 * SCALE == 336


def test_draw_pictures_shows_how_far_it_is(world: World) -> None:
    pictures = [item for item in world.suggestion.documents[:60] if isinstance(item, CaptionedPicture)]
    progress: list[tuple[int, int]] = []
    files = draw_pictures(pictures, lambda done, total, _: progress.append((done, total)))
    assert list(files) == [picture.id for picture in pictures]
    assert progress == [(0, 60), (50, 60), (60, 60)]


@pytest.mark.parametrize("thing", [name for name in THINGS if name != CASTLE.thing])
def test_draw_shows_the_thing(thing: str) -> None:
    """Against a castle in the same place: the pictures differ in more than grain."""
    assert np.abs(pixels(CASTLE) - pixels(replace(CASTLE, thing=thing))).mean() > 3


@pytest.mark.parametrize("colour", [name for name in COLOURS if name != CASTLE.colour])
def test_draw_shows_the_colour(colour: str) -> None:
    """In the middle of a castle the mean is nearer to its own colour than to the other castle's blue."""
    middle = pixels(replace(CASTLE, colour=colour, style="map"))[60:70, 45:50].mean(axis=(0, 1))
    own, blue = np.array(COLOURS[colour]), np.array(COLOURS["blue"])
    assert np.abs(middle - own).sum() < np.abs(middle - blue).sum()


@pytest.mark.parametrize("setting", [name for name in SETTINGS if name != CASTLE.setting])
@pytest.mark.parametrize("style", STYLES)
def test_draw_shows_the_setting_in_every_style(setting: str, style: str) -> None:
    meadow, other = replace(CASTLE, style=style), replace(CASTLE, style=style, setting=setting)
    assert np.abs(pixels(meadow) - pixels(other)).mean() > 1


def test_draw_makes_a_night_dark_in_a_photo_and_light_on_paper() -> None:
    night = replace(CASTLE, setting="night")
    assert pixels(night).mean() < 80
    assert pixels(replace(night, style="drawing")).mean() > 180


def test_draw_puts_the_companion_beside_the_thing() -> None:
    alone, together = pixels(CASTLE), pixels(replace(CASTLE, companion="crown"))
    assert alone.shape == together.shape
    assert np.abs(alone - together).max() > 100
