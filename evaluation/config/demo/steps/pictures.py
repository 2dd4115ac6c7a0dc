"""The files of the demo's pictures, drawn when they are first needed."""

from functools import cached_property

from evaluation.config.demo.drawing import draw_pictures
from evaluation.config.demo.progress import Progress
from evaluation.config.demo.world import Picture, World


class Pictures:
    """Every picture of a world, whichever task it is of."""

    def __init__(self, world: World, tell: Progress) -> None:
        self._world, self._tell = world, tell

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The JPEG file of each picture by its id; the first look at it draws them."""
        tasks = (self._world.suggestion, self._world.promotion)
        items = [item for task in tasks for item in (*task.topics, *task.documents)]
        return draw_pictures([item for item in items if isinstance(item, Picture)], self._tell)
