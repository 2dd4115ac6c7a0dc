"""Scenes of pictures: a thing in a colour, a setting and a style, sometimes with a companion."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evaluation.demo.things import THINGS

Colour: TypeAlias = tuple[int, int, int]
Aspect: TypeAlias = Literal["setting", "style", "colour"]
"""The aspects of a thing that a section can be about."""

COLOURS: dict[str, Colour] = {
    "red": (205, 40, 40),
    "blue": (45, 80, 200),
    "green": (40, 145, 60),
    "yellow": (232, 200, 45),
    "purple": (130, 60, 165),
    "orange": (232, 125, 30),
    "brown": (125, 80, 45),
    "grey": (125, 125, 130),
}


@dataclass(frozen=True)
class Setting:
    """The surroundings of a thing: phrases for it, its places and the title of a section about it."""

    phrases: tuple[str, ...]
    places: tuple[str, ...]
    title: str
    sky: Colour
    ground: Colour


SETTINGS: dict[str, Setting] = {
    "desert": Setting(
        phrases=("in the desert", "among sand dunes", "in arid country"),
        places=("Tamrit", "Adrar", "Sehel", "Wadour"),
        title="Desert regions",
        sky=(240, 215, 160),
        ground=(222, 180, 105),
    ),
    "sea": Setting(
        phrases=("by the sea", "on the coast", "at the shore"),
        places=("Marlow", "Quay", "Portnessa", "Skarvik"),
        title="On the coast",
        sky=(165, 210, 240),
        ground=(40, 105, 165),
    ),
    "forest": Setting(
        phrases=("in the forest", "among the trees", "in woodland"),
        places=("Sylvaine", "Holt", "Ardenwy", "Brackwood"),
        title="Woodland",
        sky=(150, 190, 150),
        ground=(35, 85, 45),
    ),
    "snow": Setting(
        phrases=("in the snow", "in winter", "under frost"),
        places=("Varnholm", "Skelde", "Oskar", "Brevik"),
        title="In winter",
        sky=(205, 215, 230),
        ground=(245, 248, 252),
    ),
    "night": Setting(
        phrases=("at night", "under the stars", "after dark"),
        places=("Noctern", "Velm", "Astrid", "Umbria"),
        title="After dark",
        sky=(18, 22, 60),
        ground=(30, 32, 48),
    ),
    "city": Setting(
        phrases=("in the city", "on a busy street", "in town"),
        places=("Grandbourg", "Millport", "Haxton", "Kingsgate"),
        title="Urban setting",
        sky=(190, 190, 200),
        ground=(120, 118, 120),
    ),
    "meadow": Setting(
        phrases=("in a meadow", "on grassland", "in green fields"),
        places=("Lindmere", "Fairlea", "Cowden", "Applefold"),
        title="Open country",
        sky=(150, 205, 250),
        ground=(125, 190, 75),
    ),
    "mountains": Setting(
        phrases=("in the mountains", "on a high pass", "in the highlands"),
        places=("Altberg", "Corvin", "Tarn", "Hochfels"),
        title="Highlands",
        sky=(190, 215, 240),
        ground=(120, 125, 105),
    ),
}


@dataclass(frozen=True)
class Style:
    """The technique of a picture: words for it, its share of all pictures and a section's title about it."""

    words: tuple[str, ...]
    share: float
    title: str


STYLES: dict[str, Style] = {
    "photo": Style(("photo", "photograph"), 0.45, "In photography"),
    "drawing": Style(("drawing", "sketch", "pencil drawing"), 0.2, "Drawings and sketches"),
    "map": Style(("map", "chart", "plan"), 0.15, "Cartography"),
    "painting": Style(("painting", "oil painting", "canvas"), 0.2, "In art"),
}
COMPANION_SHARE = 0.3


@dataclass(frozen=True)
class Scene:
    """A description of one picture. The companion is a smaller thing at the edge, or None."""

    thing: str
    colour: str
    setting: str
    style: str
    companion: str | None

    def aspect(self, aspect: Aspect) -> str:
        """Return the scene's setting, style or colour."""
        return {"setting": self.setting, "style": self.style, "colour": self.colour}[aspect]


def sample_scene(rng: random.Random, popularity: Sequence[float] | None = None) -> Scene:
    """Sample a scene; `popularity` weights the things in the order of THINGS, None = uniform."""
    names = list(THINGS)
    thing = rng.choices(names, popularity)[0]
    has_companion = rng.random() < COMPANION_SHARE
    return Scene(
        thing=thing,
        colour=rng.choice(list(COLOURS)),
        setting=rng.choice(list(SETTINGS)),
        style=rng.choices(list(STYLES), [style.share for style in STYLES.values()])[0],
        companion=rng.choice([name for name in names if name != thing]) if has_companion else None,
    )
