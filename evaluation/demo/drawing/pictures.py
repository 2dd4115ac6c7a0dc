"""Draws the picture of a scene."""

import io
import math
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from evaluation.demo.drawing.backdrops import paint_backdrop
from evaluation.demo.drawing.easel import BLACK, WHITE, Easel, mixed
from evaluation.demo.progress import Progress
from evaluation.demo.scenes import COLOURS, SETTINGS, Colour, Scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.things import THINGS
from evaluation.demo.things.shapes import Area, Paint, Point
from evaluation.demo.world import CaptionedPicture

FORMATS = ((128, 112), (128, 128), (144, 112), (112, 128))
"""Widths and heights of pictures, in units."""
SCALE = 3
"""Pixels per unit in the files of the collection: 336 to 432 pixels per side."""
PENCIL = (150, 145, 138)
INK = (60, 55, 50)
OWN_PAINTS: dict[Paint, Colour] = {
    "black": (25, 25, 28),
    "white": (245, 245, 245),
    "brown": (115, 75, 40),
    "grey": (170, 170, 175),
    "green": (60, 140, 60),
    "gold": (240, 205, 60),
    "fire": (225, 60, 30),
    "water": (120, 175, 225),
}


def draw_pictures(pictures: Sequence[CaptionedPicture], progress: Progress) -> dict[str, bytes]:
    """Draw these pictures and return the JPEG file of each by its id."""
    files = {}
    for done, picture in enumerate(pictures):
        if done % 50 == 0:
            progress(done, len(pictures), "drawing the pictures")
        files[picture.id] = picture_jpeg(picture)
    progress(len(pictures), len(pictures), "drawing the pictures")
    return files


def picture_jpeg(picture: CaptionedPicture) -> bytes:
    """Draw one picture as a JPEG file."""
    file = io.BytesIO()
    draw(picture.scene, rng_of("picture", picture.seed), scale=SCALE).save(file, "JPEG", quality=90)
    return file.getvalue()


def draw(scene: Scene, rng: random.Random, *, scale: int) -> Image.Image:
    """Draw a scene; two drawings of one scene differ in position, size, weather and grain."""
    width, height = rng.choice(FORMATS)
    size = rng.uniform(0.32, 0.40) * min(width, height)
    centre = (width * rng.uniform(0.46, 0.54), height * rng.uniform(0.52, 0.58))
    easel = _prepare(scene, width, height, scale, rng)
    if scene.style == "map":
        size *= 0.85
    if scene.companion is not None:
        aside = (width * rng.choice((0.16, 0.84)), height * 0.72)
        colour = COLOURS[rng.choice(list(COLOURS))]
        _draw_thing(easel, scene.companion, scene.style, colour, aside, size * 0.42, rng)
    _draw_thing(easel, scene.thing, scene.style, COLOURS[scene.colour], centre, size, rng)
    return _finish(easel.image, scene.style, scale, rng)


def _prepare(scene: Scene, width: int, height: int, scale: int, rng: random.Random) -> Easel:
    """Return an easel with the background of the thing."""
    if scene.style == "map":
        return _map_sheet(width, height, scale, scene.setting, rng)
    if scene.style == "drawing":
        paper = mixed((250, 247, 238), (240, 228, 200), rng.random())
        easel = Easel(width, height, scale=scale, paper=paper, pencil=PENCIL)
    else:
        easel = Easel(width, height, scale=scale, paper=WHITE)
    paint_backdrop(easel, scene.setting, rng)
    easel.pencil = None
    return easel


def _map_sheet(width: int, height: int, scale: int, setting: str, rng: random.Random) -> Easel:
    """Draw contour lines, a grid, a river and a scale bar on paper in the setting's colour."""
    paper = mixed(SETTINGS[setting].ground, (240, 235, 215), 0.55)
    easel = Easel(width, height, scale=scale, paper=paper)
    for ring in range(5):
        centre = (rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height)
        easel.line(_contour(centre, 10 + ring * 14, ring), mixed(paper, (120, 80, 40), 0.5))
    grid = mixed(paper, (60, 60, 120), 0.35)
    for x in range(0, width, 22):
        easel.line([(x, 0), (x, height)], grid)
    for y in range(0, height, 22):
        easel.line([(0, y), (width, y)], grid)
    river = [(0, 0.8), (0.3, 0.6), (0.6, 0.75), (1, 0.5)]
    easel.line([(x * width, y * height) for x, y in river], (70, 120, 200), 2)
    easel.line([(width - 34, height - 6), (width - 6, height - 6)], BLACK, 3)
    return easel


def _contour(centre: Point, radius: float, phase: int) -> list[Point]:
    def point(angle: float) -> Point:
        x = centre[0] + radius * (1 + 0.25 * math.sin(3 * angle + phase)) * math.cos(angle)
        y = centre[1] + radius * 0.8 * (1 + 0.2 * math.cos(2 * angle + phase)) * math.sin(angle)
        return (x, y)

    return [point(step * math.tau / 25) for step in range(26)]


def _draw_thing(
    easel: Easel, name: str, style: str, colour: Colour, centre: Point, size: float, rng: random.Random
) -> None:
    """Draw a thing, slightly tilted and stretched, facing left or right."""
    facing, stretch = rng.choice((-1, 1)), rng.uniform(0.92, 1.08)
    tilt = math.radians(rng.uniform(-5, 5))

    def placed(point: Point) -> Point:
        x, y = point[0] * facing * stretch * size, point[1] * size / stretch
        return (
            centre[0] + x * math.cos(tilt) - y * math.sin(tilt),
            centre[1] + x * math.sin(tilt) + y * math.cos(tilt),
        )

    for shape in THINGS[name].shapes:
        paint = _varied(_paint(shape.paint, colour), rng)
        points = [placed(point) for point in shape.points]
        if isinstance(shape, Area):
            _fill(easel, points, paint, style)
        else:
            faded = mixed(paint, (70, 65, 60), 0.5) if style == "drawing" else paint
            easel.line(points, faded, shape.width * size)


def _fill(easel: Easel, points: list[Point], paint: Colour, style: str) -> None:
    """Fill an area in the style: washed out with an ink line, outlined, or plain."""
    easel.area(points, mixed(paint, WHITE, 0.72) if style == "drawing" else paint)
    if style == "drawing":
        easel.line([*points, points[0]], INK)
    elif style == "map":
        easel.line([*points, points[0]], (20, 20, 20))


def _paint(paint: Paint, colour: Colour) -> Colour:
    of_thing = {"main": colour, "dark": mixed(colour, BLACK, 0.35), "light": mixed(colour, WHITE, 0.5)}
    return of_thing.get(paint) or OWN_PAINTS[paint]


def _varied(colour: Colour, rng: random.Random) -> Colour:
    red, green, blue = (min(255, max(0, part + rng.randint(-12, 12))) for part in colour)
    return (red, green, blue)


def _finish(image: Image.Image, style: str, scale: int, rng: random.Random) -> Image.Image:
    """Add uneven light and grain to photos, brush strokes to paintings; one drawing in five loses colour."""
    if style == "photo":
        lit = _pixels(image) * _light(image.size, rng) + _grain(image.size, (scale, scale), 7, rng)
        return _image(lit).filter(ImageFilter.GaussianBlur(0.6 * scale))
    if style == "painting":
        strokes = _grain(image.size, (8 * scale, 3 * scale), 13, rng)
        return _image((_pixels(image) + strokes) * np.array([1.03, 0.98, 0.86], np.float32))
    if style == "drawing" and rng.random() < 0.2:
        return image.convert("L").convert("RGB")
    return image


def _light(size: tuple[int, int], rng: random.Random) -> NDArray[np.float32]:
    """Return brightness factors that rise from one side to the other, (height, width, 1)."""
    across = np.linspace(-1, 1, size[0], dtype=np.float32)[None, :, None] * rng.uniform(-0.22, 0.22)
    down = np.linspace(-1, 1, size[1], dtype=np.float32)[:, None, None] * rng.uniform(-0.15, 0.15)
    return np.asarray(1 + across + down, np.float32)


def _grain(
    size: tuple[int, int], block: tuple[int, int], strength: float, rng: random.Random
) -> NDArray[np.float32]:
    """Return noise in blocks of some pixels, (height, width, 3)."""
    (width, height), (block_width, block_height) = size, block
    rows, columns = -(-height // block_height), -(-width // block_width)
    noise = np.random.default_rng(rng.getrandbits(64)).standard_normal((rows, columns, 3), np.float32)
    large = noise.repeat(block_height, 0).repeat(block_width, 1)
    return np.asarray(large[:height, :width] * strength, np.float32)


def _pixels(image: Image.Image) -> NDArray[np.float32]:
    return np.asarray(image, dtype=np.float32)


def _image(pixels: NDArray[np.float32]) -> Image.Image:
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
