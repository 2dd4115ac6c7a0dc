"""Plants and things that grow like plants."""

from evaluation.demo.things.shapes import Shapes, area, box, dome, oval, stroke, turned
from evaluation.demo.things.thing import Thing

OAK: Shapes = (
    area("brown", (-0.15, 1), (-0.1, 0.1), (0.1, 0.1), (0.18, 1)),
    oval("main", -0.9, -0.6, 0.1, 0.3),
    oval("main", -0.1, -0.6, 0.9, 0.3),
    oval("main", -0.55, -1.05, 0.55, 0.1),
    oval("light", -0.4, -0.8, 0, -0.4),
)
PINE: Shapes = (
    box("brown", -0.1, 0.7, 0.1, 1.05),
    *(
        area("main", (-half, foot), (0, top), (half, foot))
        for half, foot, top in ((0.7, 0.75, -0.1), (0.57, 0.25, -0.52), (0.44, -0.25, -0.94))
    ),
)
CACTUS: Shapes = (
    area("main", *dome("main", -0.2, -1, 0.2, -0.6).points, (0.2, 1), (-0.2, 1)),
    stroke("main", 0.24, (-0.15, 0.4), (-0.65, 0.4), (-0.65, -0.2)),
    stroke("main", 0.24, (0.15, 0.15), (0.62, 0.15), (0.62, -0.5)),
    stroke("light", 0.04, (0, -0.8), (0, 0.95)),
)
PALM_TOP = (-0.02, -0.42)
PALM: Shapes = (
    stroke("brown", 0.16, (0.15, 1), (0.02, 0.4), (-0.02, -0.35)),
    *(
        area("main", PALM_TOP, (x * 0.6, y - 0.22), (x, y), (x * 0.55, y - 0.02))
        for x, y in ((-1, 0.05), (-0.75, -0.75), (0.75, -0.8), (1, 0), (0.45, 0.3), (-0.5, 0.35))
    ),
)
FLOWER_HEART = (0.0, -0.25)
FLOWER: Shapes = (
    stroke("green", 0.1, (0, 0.1), (0.05, 1)),
    area("green", (0.05, 0.7), (0.5, 0.35), (0.3, 0.75)),
    *(
        oval("main", x - 0.27, y - 0.27, x + 0.27, y + 0.27)
        for x, y in (turned(0.42, angle, FLOWER_HEART) for angle in range(0, 360, 60))
    ),
    oval("gold", -0.24, -0.49, 0.24, -0.01),
)
MUSHROOM: Shapes = (
    area("white", (-0.2, 0.9), (-0.15, 0), (0.15, 0), (0.25, 0.9)),
    dome("main", -0.9, -0.8, 0.9, 0.7),
    oval("white", -0.5, -0.45, -0.25, -0.2),
    oval("white", -0.05, -0.7, 0.2, -0.45),
    oval("white", 0.35, -0.4, 0.6, -0.15),
)

PLANTS = (
    Thing("oak", "plant", ("tree",), "Eiche", OAK),
    Thing("pine", "plant", ("conifer", "fir"), "Kiefer", PINE),
    Thing("cactus", "plant", ("succulent",), "Kaktus", CACTUS),
    Thing("palm", "plant", ("palm tree",), "Palme", PALM),
    Thing("flower", "plant", ("blossom",), "Blume", FLOWER),
    Thing("mushroom", "plant", ("fungus", "toadstool"), "Pilz", MUSHROOM),
)
