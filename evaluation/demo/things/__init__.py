"""Everything that can be the subject of a picture, by name."""

from evaluation.demo.things.animals import ANIMALS
from evaluation.demo.things.buildings import BUILDINGS
from evaluation.demo.things.landforms import LANDFORMS
from evaluation.demo.things.objects import OBJECTS
from evaluation.demo.things.plants import PLANTS
from evaluation.demo.things.thing import Thing
from evaluation.demo.things.vehicles import VEHICLES

THINGS: dict[str, Thing] = {
    thing.name: thing
    for group in (BUILDINGS, PLANTS, VEHICLES, ANIMALS, OBJECTS, LANDFORMS)
    for thing in group
}


def siblings(thing: Thing) -> list[Thing]:
    """List the other things of the same group."""
    return [other for other in THINGS.values() if other.group == thing.group and other is not thing]


__all__ = ["THINGS", "Thing", "siblings"]
