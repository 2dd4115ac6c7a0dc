"""Objects made by hand."""

from evaluation.demo.things.shapes import Shapes, arc, area, box, dome, oval, stroke
from evaluation.demo.things.thing import Thing

CROWN: Shapes = (
    area("main", (-0.9, 0.6), (-1, -0.55), (-0.5, 0), (0, -0.8), (0.5, 0), (1, -0.55), (0.9, 0.6)),
    box("dark", -0.9, 0.5, 0.9, 0.75),
    oval("white", -0.1, -0.98, 0.1, -0.78),
    oval("fire", -0.1, 0.1, 0.1, 0.3),
    oval("white", -1.1, -0.72, -0.9, -0.52),
    oval("white", 0.9, -0.72, 1.1, -0.52),
)
SWORD: Shapes = (
    area("light", (-0.1, 0.4), (-0.1, -0.9), (0, -1.2), (0.1, -0.9), (0.1, 0.4)),
    box("main", -0.5, 0.4, 0.5, 0.55),
    box("dark", -0.08, 0.55, 0.08, 0.95),
    oval("main", -0.15, 0.9, 0.15, 1.2),
)
VASE: Shapes = (
    area(
        "main",
        *((-0.25, -0.9), (0.25, -0.9), (0.18, -0.55), (0.62, 0), (0.55, 0.5)),
        *((0.25, 0.95), (-0.25, 0.95), (-0.55, 0.5), (-0.62, 0), (-0.18, -0.55)),
    ),
    box("dark", -0.33, -1, 0.33, -0.88),
    stroke("light", 0.08, (-0.6, 0.05), (0.6, 0.05)),
    stroke("light", 0.08, (-0.55, 0.35), (0.55, 0.35)),
)
BELL: Shapes = (
    area(
        "main",
        *arc(-0.5, -0.9, 0.5, 0.3, start=180, end=360),
        *((0.55, 0.4), (0.85, 0.7), (-0.85, 0.7), (-0.55, 0.4)),
    ),
    oval("dark", -0.18, 0.6, 0.18, 0.95),
    stroke("dark", 0.1, *arc(-0.15, -1.15, 0.15, -0.85)),
    stroke("light", 0.07, (-0.3, -0.4), (-0.38, 0.4)),
)
GUITAR: Shapes = (
    oval("main", -0.6, 0.15, 0.6, 1.15),
    oval("main", -0.45, -0.3, 0.45, 0.5),
    oval("black", -0.18, 0.15, 0.18, 0.5),
    box("brown", -0.08, -1.1, 0.08, 0.2),
    box("black", -0.15, -1.3, 0.15, -1.05),
    box("brown", -0.25, 0.75, 0.25, 0.83),
)
UMBRELLA: Shapes = (
    dome("main", -1.05, -0.85, 1.05, 0.95),
    dome("dark", -0.35, -0.85, 0.35, 0.95),
    stroke("black", 0.08, (0, -1), (0, 0.8), (0.1, 0.95), (0.25, 0.9)),
)

OBJECTS = (
    Thing("crown", "object", ("diadem",), "Krone", CROWN),
    Thing("sword", "object", ("blade",), "Schwert", SWORD),
    Thing("vase", "object", ("urn",), "Vase", VASE),
    Thing("bell", "object", ("chime",), "Glocke", BELL),
    Thing("guitar", "object", ("lute",), "Gitarre", GUITAR),
    Thing("umbrella", "object", ("parasol",), "Regenschirm", UMBRELLA),
)
