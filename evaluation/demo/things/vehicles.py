"""Vehicles."""

from evaluation.demo.things.shapes import Shapes, area, box, oval, stroke
from evaluation.demo.things.thing import Thing

SAILBOAT: Shapes = (
    area("brown", (-0.8, 0.55), (0.85, 0.55), (0.55, 0.95), (-0.55, 0.95)),
    stroke("black", 0.06, (0, 0.55), (0, -1)),
    area("main", (0.07, -0.95), (0.07, 0.4), (0.75, 0.4)),
    area("light", (-0.07, -0.75), (-0.07, 0.4), (-0.6, 0.4)),
)
STEAMSHIP: Shapes = (
    area("main", (-1.2, 0.3), (1.2, 0.3), (0.95, 0.85), (-0.95, 0.85)),
    box("white", -0.75, -0.05, 0.75, 0.3),
    box("dark", -0.45, -0.6, -0.2, -0.05),
    box("dark", 0.15, -0.6, 0.4, -0.05),
    oval("grey", -0.6, -1, -0.1, -0.62),
    oval("grey", 0, -1.05, 0.55, -0.62),
)
CAR: Shapes = (
    area(
        "main",
        *((-1.1, 0.5), (-1.1, 0.1), (-0.65, 0.02), (-0.35, -0.4)),
        *((0.4, -0.4), (0.7, 0.02), (1.1, 0.12), (1.1, 0.5)),
    ),
    area("light", (-0.5, 0.02), (-0.3, -0.28), (0, -0.28), (0, 0.02)),
    area("light", (0.08, 0.02), (0.08, -0.28), (0.34, -0.28), (0.55, 0.02)),
    oval("black", -0.85, 0.25, -0.35, 0.75),
    oval("black", 0.35, 0.25, 0.85, 0.75),
    oval("white", -0.7, 0.4, -0.5, 0.6),
    oval("white", 0.5, 0.4, 0.7, 0.6),
)
LOCOMOTIVE: Shapes = (
    box("main", -0.9, -0.1, 0.35, 0.45),
    box("dark", 0.35, -0.65, 1, 0.45),
    box("black", -0.75, -0.6, -0.5, -0.1),
    box("light", 0.5, -0.5, 0.85, -0.15),
    oval("grey", -0.9, -1.1, -0.35, -0.68),
    oval("black", -0.85, 0.35, -0.45, 0.75),
    oval("black", -0.35, 0.35, 0.05, 0.75),
    oval("black", 0.4, 0.25, 0.9, 0.75),
    area("dark", (-0.9, 0.45), (-1.15, 0.7), (-0.9, 0.7)),
)
AIRPLANE: Shapes = (
    oval("main", -1.15, -0.15, 0.95, 0.18),
    area("dark", (-0.1, 0), (0.35, 0), (0.05, 0.75), (-0.2, 0.75)),
    area("dark", (-0.05, -0.1), (0.25, -0.1), (0.05, -0.55), (-0.12, -0.55)),
    area("main", (0.65, -0.05), (0.95, -0.05), (1.1, -0.5), (0.9, -0.5)),
    oval("light", -1, -0.08, -0.75, 0.05),
)
BICYCLE: Shapes = (
    stroke("black", 0.09, *oval("black", -1.05, -0.05, -0.2, 0.8).points),
    stroke("black", 0.09, *oval("black", 0.2, -0.05, 1.05, 0.8).points),
    stroke("main", 0.1, (-0.62, 0.37), (-0.3, -0.3), (0.42, -0.3), (0, 0.4), (-0.62, 0.37)),
    stroke("main", 0.1, (0, 0.4), (-0.35, -0.45)),
    stroke("main", 0.1, (0.62, 0.37), (0.38, -0.55), (0.62, -0.6)),
    stroke("black", 0.12, (-0.5, -0.47), (-0.2, -0.47)),
)
BALLOON: Shapes = (
    oval("main", -0.75, -1.1, 0.75, 0.35),
    oval("light", -0.25, -1.1, 0.25, 0.35),
    stroke("black", 0.04, (-0.55, 0.05), (-0.18, 0.65)),
    stroke("black", 0.04, (0.55, 0.05), (0.18, 0.65)),
    box("brown", -0.2, 0.65, 0.2, 0.95),
)

VEHICLES = (
    Thing("sailboat", "vehicle", ("yacht",), "Segelboot", SAILBOAT),
    Thing("steamship", "vehicle", ("steamer", "liner"), "Dampfschiff", STEAMSHIP),
    Thing("car", "vehicle", ("automobile",), "Wagen", CAR),
    Thing("locomotive", "vehicle", ("train", "engine"), "Lokomotive", LOCOMOTIVE),
    Thing("airplane", "vehicle", ("aircraft", "plane"), "Flugzeug", AIRPLANE),
    Thing("bicycle", "vehicle", ("bike",), "Fahrrad", BICYCLE),
    Thing("balloon", "vehicle", ("aerostat",), "Ballon", BALLOON),
)
