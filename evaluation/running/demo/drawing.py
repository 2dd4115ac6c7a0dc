"""Draws the picture of a scene from shapes, which a data file describes."""

import io
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

from evaluation.running.demo.scenes import DATA, SEED, THINGS, VALUES, Scene, rng_of

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, ...]
STEPS = 24  # corners of a circle


@dataclass(frozen=True)
class Shape:
    """A filled polygon or, with a width, a line, in coordinates of about -1 to 1, y downwards."""

    paint: str
    points: tuple[Point, ...]
    width: float = 0.0


@cache
def read_shape(text: str) -> Shape:
    """Read a shape such as "box dark -1 0  1 0.5": kind, paint, and numbers."""
    kind, paint, *numbers = text.split()
    values = [float(number) for number in numbers]
    width = values.pop(0) if kind == "line" else 0.0
    points = tuple(zip(values[::2], values[1::2], strict=True))
    if kind in {"area", "line"}:
        return Shape(paint, points, width)
    (left, top), (right, bottom) = points
    if kind == "box":
        return Shape(paint, ((left, top), (right, top), (right, bottom), (left, bottom)))
    angles = [math.tau * step / STEPS for step in range(STEPS // (2 if kind == "dome" else 1) + 1)]
    x, y, half_width, half_height = (
        (left + right) / 2,
        (top + bottom) / 2,
        (right - left) / 2,
        (bottom - top) / 2,
    )
    return Shape(paint, tuple((x + half_width * math.cos(a), y - half_height * math.sin(a)) for a in angles))


def colour_of(text: str) -> Colour:
    """Read a colour such as "#ff8000"."""
    return ImageColor.getrgb(text)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours; `share` is the second's."""
    return tuple(round(one + (other - one) * share) for one, other in zip(first, second, strict=True))


FORMATS = ((128, 112), (128, 128), (144, 112), (112, 128))
"""Widths and heights of pictures, in units."""
SCALE = 3
"""Pixels per unit in the files of the collection: 336 to 432 pixels per side."""
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
PAPER, RIVER, OCHRE = (245, 238, 220), (70, 120, 200), (150, 95, 30)
HORIZON = 0.6  # of the height, from the top
PARTS = {"sky": (0.05, 0.45), "horizon": (HORIZON, HORIZON), "ground": (HORIZON, 1.0), "air": (0.0, 1.0)}
"""From where to where scenery stands."""


def picture_jpeg(scene: Scene, name: str) -> bytes:
    """Draw the picture of this name as a JPEG file."""
    file = io.BytesIO()
    draw(scene, rng_of("picture", SEED, name), scale=SCALE).save(file, "JPEG", quality=90)
    return file.getvalue()


def draw(scene: Scene, rng: random.Random, *, scale: int) -> Image.Image:
    """Draw a scene; two drawings of one scene differ in position, size, scenery and grain."""
    width, height = (side * scale for side in rng.choice(FORMATS))
    image = Image.new("RGB", (width, height))
    canvas = ImageDraw.Draw(image)
    _paint_backdrop(canvas, scene, width, height, rng)
    size, middle = rng.uniform(0.32, 0.40) * min(width, height), width * rng.uniform(0.46, 0.54)
    if scene.companion:
        aside = Pose.sampled(rng, width * rng.choice((0.16, 0.84)), height * 0.72, size * 0.42)
        colour = rng.choice(list(VALUES["colour"].values()))
        _stamp(canvas, THINGS[scene.companion]["shapes"], aside, rng, colour)
    pose = Pose.sampled(rng, middle, height * rng.uniform(0.52, 0.58), size)
    _stamp(canvas, THINGS[scene.thing]["shapes"], pose, rng, VALUES["colour"][scene.colour])
    return _finished(image, scene.style, scale, rng)


@dataclass(frozen=True)
class Pose:
    """Where and how large shapes are drawn, slightly tilted and stretched, facing left or right."""

    x: float
    y: float
    size: float
    stretch: float
    tilt: float

    @classmethod
    def sampled(cls, rng: random.Random, x: float, y: float, size: float) -> "Pose":
        """Sample how shapes stand at this place."""
        return cls(
            x, y, size, rng.choice((-1, 1)) * rng.uniform(0.92, 1.08), math.radians(rng.uniform(-5, 5))
        )

    def placed(self, point: Point) -> Point:
        """Return the point's pixel."""
        x, y = point[0] * self.stretch * self.size, point[1] / abs(self.stretch) * self.size
        cos, sin = math.cos(self.tilt), math.sin(self.tilt)
        return (self.x + x * cos - y * sin, self.y + x * sin + y * cos)


def _stamp(
    canvas: ImageDraw.ImageDraw, shapes: Iterable[str], pose: Pose, rng: random.Random, main: str = "#000000"
) -> None:
    """Draw the shapes, each in a slightly varied paint."""
    for shape in map(read_shape, shapes):
        points = [pose.placed(point) for point in shape.points]
        paint = tuple(min(255, max(0, part + rng.randint(-12, 12))) for part in _paint(shape.paint, main))
        if shape.width:
            canvas.line(points, paint, max(1, round(shape.width * pose.size)), joint="curve")
        else:
            canvas.polygon(points, paint)


def _paint(name: str, main: str) -> Colour:
    match name:
        case "main":
            return colour_of(main)
        case "dark":
            return mixed(colour_of(main), BLACK, 0.35)
        case "light":
            return mixed(colour_of(main), WHITE, 0.5)
    return colour_of(DATA["paints"].get(name, name))


def _paint_backdrop(
    canvas: ImageDraw.ImageDraw, scene: Scene, width: int, height: int, rng: random.Random
) -> None:
    """Paint sky, ground and scenery; a map is the same scenery on paper with a grid and a river."""
    setting = VALUES["setting"][scene.setting]
    sky, ground = colour_of(setting["sky"]), colour_of(setting["ground"])
    if scene.style == "map":
        sky = ground = mixed(ground, PAPER, 0.55)
    for y in range(height):
        colour = mixed(sky, ground, 0.25 * y / height) if y < HORIZON * height else ground
        canvas.line([(0, y), (width, y)], colour)
    if scene.style == "map":
        for offset in range(height // 10, max(width, height), height // 5):
            canvas.line([(offset, 0), (offset, height)], mixed(ground, RIVER, 0.5))
            canvas.line([(0, offset), (width, offset)], mixed(ground, RIVER, 0.5))
        banks = [(0, 0.8 * height), (0.4 * width, 0.65 * height), (width, 0.9 * height)]
        canvas.line(banks, RIVER, height // 50)
    for motif in setting["scenery"]:
        for _ in range(motif["count"]):
            position = width * rng.uniform(-0.05, 1.05), height * rng.uniform(*PARTS[motif["part"]])
            pose = Pose.sampled(rng, *position, motif["size"] * height * rng.uniform(0.7, 1.2))
            _stamp(canvas, motif["shapes"], pose, rng)


def _finished(image: Image.Image, style: str, scale: int, rng: random.Random) -> Image.Image:
    """Give a photo uneven light, grain and blur, a painting broad strokes, a drawing pale paint and lines."""
    if style == "drawing":
        edges = ImageChops.invert(image.convert("L").filter(ImageFilter.FIND_EDGES)).convert("RGB")
        return ImageChops.multiply(Image.blend(image, _sheet(image, WHITE), 0.7), edges)
    if style == "painting":
        return Image.blend(_grained(image, (8 * scale, 3 * scale), 16, rng), _sheet(image, OCHRE), 0.12)
    if style == "photo":
        return _grained(image, (scale, scale), 8, rng).filter(ImageFilter.GaussianBlur(0.5 * scale))
    return image


def _sheet(image: Image.Image, colour: Colour) -> Image.Image:
    return Image.new("RGB", image.size, colour)


def _grained(image: Image.Image, block: tuple[int, int], strength: float, rng: random.Random) -> Image.Image:
    """Light one side of the image more than the other, and vary the brightness block by block."""
    rows, columns = (
        -(-side // size) for side, size in zip(reversed(image.size), reversed(block), strict=True)
    )
    noise = np.random.default_rng(rng.getrandbits(64)).normal(0, strength, (rows, columns))
    noise = noise.repeat(block[1], 0).repeat(block[0], 1)[: image.height, : image.width, None]
    slope = rng.uniform(-0.2, 0.2)
    light = np.linspace(1 - slope, 1 + slope, image.width, dtype=np.float32)[None, :, None]
    lit = np.asarray(image) * light + noise.astype(np.float32)
    return Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8))
