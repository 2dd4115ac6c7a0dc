"""One thing of the world: its names and its shapes."""

from dataclasses import dataclass

from evaluation.config.demo.shapes import Shapes


@dataclass(frozen=True)
class Thing:
    """A thing that can be recognised in a picture and named in a text.

    `aliases` are names it also goes by; `german` is the name in captions that nobody translated.
    """

    name: str
    group: str
    aliases: tuple[str, ...]
    german: str
    shapes: Shapes
