"""The things of the world."""

from collections import Counter

from evaluation.demo.things import THINGS, siblings


def test_things_share_no_name_with_another() -> None:
    names = Counter(name for thing in THINGS.values() for name in (thing.name, *thing.aliases))
    assert [name for name, times in names.items() if times > 1] == []


def test_siblings_are_the_others_of_the_group() -> None:
    assert [thing.name for thing in siblings(THINGS["volcano"])] == ["waterfall"]
    assert all(siblings(thing) for thing in THINGS.values())


def test_things_are_drawn_within_reach() -> None:
    """Shapes are scaled to at most 0.4 of the smaller side, so 1.4 from the centre stays on the picture."""
    points = [point for thing in THINGS.values() for shape in thing.shapes for point in shape.points]
    assert max(max(abs(x), abs(y)) for x, y in points) <= 1.4
