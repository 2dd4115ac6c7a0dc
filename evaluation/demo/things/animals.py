"""Animals."""

from evaluation.demo.things.shapes import Shapes, arc, area, box, dome, oval, stroke, turned
from evaluation.demo.things.thing import Thing

FISH: Shapes = (
    oval("main", -1, -0.45, 0.6, 0.45),
    area("dark", (0.45, 0), (1.1, -0.5), (1.1, 0.5)),
    area("dark", (-0.3, -0.4), (0.2, -0.75), (0.25, -0.35)),
    oval("white", -0.75, -0.25, -0.5, 0),
    oval("black", -0.68, -0.18, -0.57, -0.07),
    stroke("dark", 0.04, *arc(-0.75, -0.4, -0.15, 0.4, start=-60, end=60)),
)
BIRD: Shapes = (
    oval("main", -0.6, -0.3, 0.6, 0.5),
    oval("main", -0.95, -0.75, -0.35, -0.1),
    area("gold", (-0.93, -0.5), (-1.25, -0.38), (-0.9, -0.3)),
    area("dark", (0.45, 0), (1.1, -0.3), (1.05, 0.2), (0.5, 0.3)),
    oval("dark", -0.25, -0.2, 0.5, 0.3),
    oval("black", -0.78, -0.55, -0.66, -0.43),
    stroke("black", 0.06, (-0.1, 0.45), (-0.1, 0.95)),
    stroke("black", 0.06, (0.15, 0.45), (0.15, 0.95)),
)
BUTTERFLY: Shapes = (
    oval("main", -1.05, -0.9, -0.05, 0.1),
    oval("main", 0.05, -0.9, 1.05, 0.1),
    oval("dark", -0.8, 0, -0.02, 0.8),
    oval("dark", 0.02, 0, 0.8, 0.8),
    oval("light", -0.75, -0.6, -0.4, -0.25),
    oval("light", 0.4, -0.6, 0.75, -0.25),
    oval("black", -0.09, -0.6, 0.09, 0.75),
    stroke("black", 0.05, (0, -0.55), (-0.3, -1)),
    stroke("black", 0.05, (0, -0.55), (0.3, -1)),
)
SNAIL: Shapes = (
    oval("light", -1.1, 0.4, 0.9, 0.85),
    oval("light", -1.15, -0.1, -0.75, 0.7),
    oval("main", -0.5, -0.65, 0.75, 0.6),
    stroke("dark", 0.08, *(turned(0.5 * (1 - turn / 16), turn * 43, (0.12, -0.02)) for turn in range(16))),
    stroke("black", 0.05, (-1, 0), (-1.15, -0.4)),
    stroke("black", 0.05, (-0.88, 0), (-0.8, -0.4)),
)
TURTLE: Shapes = (
    oval("light", -1.25, -0.15, -0.7, 0.25),
    oval("light", -0.75, 0.3, -0.4, 0.8),
    oval("light", 0.4, 0.3, 0.75, 0.8),
    dome("main", -0.85, -0.65, 0.85, 0.95),
    box("light", -0.85, 0.12, 0.85, 0.35),
    stroke("dark", 0.06, (-0.45, -0.4), (-0.2, 0.12)),
    stroke("dark", 0.06, (0.45, -0.4), (0.2, 0.12)),
    stroke("dark", 0.06, (-0.75, -0.1), (0.75, -0.1)),
    oval("black", -1.12, -0.08, -1.02, 0.02),
)

ANIMALS = (
    Thing("fish", "animal", ("carp",), "Fisch", FISH),
    Thing("bird", "animal", ("songbird",), "Vogel", BIRD),
    Thing("butterfly", "animal", ("moth",), "Schmetterling", BUTTERFLY),
    Thing("snail", "animal", ("gastropod",), "Schnecke", SNAIL),
    Thing("turtle", "animal", ("tortoise",), "Schildkröte", TURTLE),
)
