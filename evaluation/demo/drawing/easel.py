"""A drawing surface whose units do not depend on the resolution of the picture."""

from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from evaluation.demo.scenes import Colour
from evaluation.demo.things.shapes import Point

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours; `share` is the second's."""
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(first, second, strict=True))
    return (red, green, blue)


class Easel:
    """Draws on an image of `width` x `height` units, `scale` pixels per unit.

    With `pencil` set, areas become outlines and every colour is the pencil's.
    """

    def __init__(
        self, width: int, height: int, *, scale: int, paper: Colour, pencil: Colour | None = None
    ) -> None:
        self.width = width
        self.height = height
        self.pencil = pencil
        self.image = Image.new("RGB", (width * scale, height * scale), paper)
        self._scale = scale
        self._draw = ImageDraw.Draw(self.image)

    def area(self, points: Sequence[Point], fill: Colour) -> None:
        """Fill a polygon, or draw its outline in pencil."""
        if self.pencil is None:
            self._draw.polygon(self._scaled(points), fill=fill)
        else:
            self.line([*points, points[0]], self.pencil)

    def line(self, points: Sequence[Point], colour: Colour, width: float = 1) -> None:
        """Draw a line `width` units wide."""
        pixels = max(1, round(width * self._scale))
        self._draw.line(self._scaled(points), fill=self.pencil or colour, width=pixels, joint="curve")

    def band(self, top: float, bottom: float, fill: Colour) -> None:
        """Fill the whole width between two heights; pencil leaves it blank."""
        if self.pencil is None:
            self._draw.rectangle([0, top * self._scale, *self._corner(bottom)], fill=fill)

    def dot(self, centre: Point, diameter: float, colour: Colour) -> None:
        """Draw a filled circle, or a small cross in pencil."""
        x, y = centre
        half = diameter / 2
        if self.pencil is None:
            corners = self._scaled([(x - half, y - half), (x + half, y + half)])
            self._draw.ellipse(corners, fill=colour)
        else:
            self.line([(x - half, y), (x + half, y)], colour)
            self.line([(x, y - half), (x, y + half)], colour)

    def _corner(self, bottom: float) -> tuple[float, float]:
        return self.width * self._scale, bottom * self._scale

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]
