"""One thing of the world: its names and its shapes."""

from dataclasses import dataclass

from evaluation.demo.things.shapes import Shapes


@dataclass(frozen=True)
class Thing:
    """A thing that can be recognised in a picture and named in a text.

    `aliases` are its other names; `german` is its name in untranslated captions.
    """

    name: str
    group: str
    aliases: tuple[str, ...]
    german: str
    shapes: Shapes
