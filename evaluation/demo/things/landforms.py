"""Landforms."""

from evaluation.demo.things.shapes import Shapes, area, oval, stroke
from evaluation.demo.things.thing import Thing

VOLCANO: Shapes = (
    oval("grey", -0.35, -1.25, 0.15, -0.85),
    oval("grey", -0.05, -1.4, 0.45, -0.95),
    area("main", (-1.15, 0.95), (-0.3, -0.6), (0.3, -0.6), (1.15, 0.95)),
    area(
        "fire",
        *((-0.3, -0.6), (0.3, -0.6), (0.2, -0.1), (0.08, -0.35)),
        *((0, 0.3), (-0.12, -0.3), (-0.2, -0.05)),
    ),
)
WATERFALL: Shapes = (
    area("main", (-1.05, 1), (-0.9, -0.75), (-0.3, -0.9), (0.3, -0.85), (0.95, -0.6), (1.05, 1)),
    area("dark", (-0.3, -0.9), (0.3, -0.85), (0.42, 0.75), (-0.42, 0.75)),
    area("white", (-0.22, -0.88), (0.2, -0.84), (0.3, 0.75), (-0.3, 0.75)),
    *(stroke("water", 0.05, (x, -0.8), (x * 1.4, 0.7)) for x in (-0.11, 0, 0.11)),
    oval("water", -0.9, 0.65, 0.9, 1.1),
    oval("white", -0.42, 0.62, 0.42, 0.84),
)

LANDFORMS = (
    Thing("volcano", "landform", ("crater",), "Vulkan", VOLCANO),
    Thing("waterfall", "landform", ("cascade",), "Wasserfall", WATERFALL),
)
