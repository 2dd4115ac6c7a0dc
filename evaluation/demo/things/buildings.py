"""Buildings."""

from evaluation.demo.things.shapes import Shapes, arc, area, box, stroke, turned
from evaluation.demo.things.thing import Thing

LIGHTHOUSE: Shapes = (
    area("main", (-0.28, 1), (-0.17, -0.55), (0.17, -0.55), (0.28, 1)),
    area("white", (-0.25, 0.6), (-0.225, 0.2), (0.225, 0.2), (0.25, 0.6)),
    area("white", (-0.2, -0.1), (-0.18, -0.4), (0.18, -0.4), (0.2, -0.1)),
    box("black", -0.24, -0.62, 0.24, -0.55),
    box("light", -0.13, -0.85, 0.13, -0.62),
    area("dark", (-0.18, -0.85), (0, -1.05), (0.18, -0.85)),
)
CASTLE: Shapes = (
    box("main", -0.6, -0.1, 0.6, 1),
    box("main", -0.95, -0.5, -0.5, 1),
    box("main", 0.5, -0.5, 0.95, 1),
    *(box("main", left, -0.7, left + 0.13, -0.5) for left in (-0.95, -0.79, -0.63, 0.5, 0.66, 0.82)),
    *(box("main", left, -0.28, left + 0.16, -0.1) for left in (-0.45, -0.15, 0.15)),
    area("black", *arc(-0.2, 0.35, 0.2, 1.2, start=180, end=360), (0.2, 1), (-0.2, 1)),
)
CHURCH: Shapes = (
    box("main", -0.25, 0.1, 0.9, 1),
    area("dark", (-0.25, 0.1), (0, -0.3), (0.75, -0.3), (0.95, 0.1)),
    box("main", -0.65, -0.3, -0.2, 1),
    area("dark", (-0.7, -0.3), (-0.425, -1), (-0.15, -0.3)),
    stroke("black", 0.06, (-0.425, -1.3), (-0.425, -0.95)),
    stroke("black", 0.06, (-0.53, -1.17), (-0.32, -1.17)),
    box("black", 0.2, 0.4, 0.36, 0.75),
    box("black", 0.52, 0.4, 0.68, 0.75),
)
BRIDGE: Shapes = (
    box("main", -1.2, -0.15, 1.2, 0.12),
    *(box("main", left, 0.1, left + 0.2, 0.9) for left in (-1.2, -0.42, 0.22, 1.0)),
    *(
        stroke("dark", 0.1, *arc(left, 0.1, left + width, 1.1, start=180, end=360))
        for left, width in ((-1.05, 0.7), (-0.32, 0.64), (0.35, 0.7))
    ),
    stroke("black", 0.04, (-1.2, -0.32), (1.2, -0.32)),
)
WINDMILL_HUB = (0.0, -0.2)
WINDMILL: Shapes = (
    area("main", (-0.4, 1), (-0.25, -0.2), (0.25, -0.2), (0.4, 1)),
    area("dark", (-0.3, -0.2), (0, -0.5), (0.3, -0.2)),
    *(
        area("white", WINDMILL_HUB, turned(1, angle + 7, WINDMILL_HUB), turned(1, angle - 7, WINDMILL_HUB))
        for angle in (35, 125, 215, 305)
    ),
    box("black", -0.1, 0.6, 0.1, 1),
)
HOUSE: Shapes = (
    box("main", -0.75, -0.05, 0.75, 0.95),
    area("dark", (-0.95, -0.05), (0, -0.8), (0.95, -0.05)),
    box("black", -0.15, 0.4, 0.15, 0.95),
    box("light", -0.6, 0.15, -0.3, 0.45),
    box("light", 0.3, 0.15, 0.6, 0.45),
    box("dark", 0.4, -0.75, 0.58, -0.3),
)
PYRAMID: Shapes = (
    area("main", (-1.15, 0.9), (0, -0.9), (0.35, 0.9)),
    area("dark", (0.35, 0.9), (0, -0.9), (1.15, 0.9)),
    stroke("dark", 0.03, (-0.77, 0.3), (0.23, 0.3)),
    stroke("dark", 0.03, (-0.39, -0.3), (0.11, -0.3)),
)

BUILDINGS = (
    Thing("lighthouse", "building", ("beacon",), "Leuchtturm", LIGHTHOUSE),
    Thing("castle", "building", ("fortress", "keep"), "Burg", CASTLE),
    Thing("church", "building", ("chapel",), "Kirche", CHURCH),
    Thing("bridge", "building", ("viaduct",), "Brücke", BRIDGE),
    Thing("windmill", "building", ("mill",), "Windmühle", WINDMILL),
    Thing("house", "building", ("cottage", "dwelling"), "Haus", HOUSE),
    Thing("pyramid", "building", ("tomb",), "Pyramide", PYRAMID),
)
