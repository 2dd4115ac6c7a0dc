"""What pictures and sections are about: things in settings, styles and colours, from a data file."""

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Aspect: TypeAlias = Literal["setting", "style", "colour"]
"""The aspects of a thing that a section can be about."""

SEED = 1
"""The seed of the demo's track and models."""
COMPANION_SHARE = 0.3


def load_data(name: str) -> dict[str, Any]:
    """Read one of the demo's data files."""
    return tomllib.loads((Path(__file__).parent / "data" / name).read_text(encoding="utf-8"))


DATA = load_data("pictures.toml")
THINGS: dict[str, dict[str, Any]] = DATA["things"]
VALUES: dict[Aspect, dict[str, Any]] = {
    "setting": DATA["settings"],
    "style": DATA["styles"],
    "colour": DATA["colours"],
}


def rng_of(*parts: str | int) -> random.Random:
    """Return the random generator for the name made of these parts, the same in every process.

    Seeded by names, no draw depends on earlier draws.
    """
    return random.Random("/".join(str(part) for part in parts))  # noqa: S311 - not used for secrets


@dataclass(frozen=True)
class Scene:
    """A description of one picture. The companion is a smaller thing at the edge, or empty."""

    thing: str
    setting: str
    style: str
    colour: str
    companion: str = ""


@dataclass(frozen=True)
class Subject:
    """The subject of a section: a thing, and one aspect of it."""

    thing: str
    aspect: Aspect
    value: str

    def grade(self, scene: Scene) -> int:
        """Return the true grade of a picture and a section, for both tasks.

        2: the picture illustrates the section; 1: it shares the subject but not the context; 0: neither.
        A companion at the edge of the picture is not its subject.
        """
        if scene.thing != self.thing:
            return 0
        return 2 if getattr(scene, self.aspect) == self.value else 1


def sample_scene(rng: random.Random, popularity: Sequence[float] | None = None) -> Scene:
    """Sample a scene; `popularity` weights the things in the order of THINGS, None = uniform."""
    names, styles = list(THINGS), VALUES["style"]
    thing = rng.choices(names, popularity)[0]
    style = rng.choices(list(styles), [kind["share"] for kind in styles.values()])[0]
    others = [name for name in names if name != thing] if rng.random() < COMPANION_SHARE else [""]
    setting, colour = (rng.choice(list(VALUES[aspect])) for aspect in ("setting", "colour"))
    return Scene(thing, setting, style, colour, rng.choice(others))
