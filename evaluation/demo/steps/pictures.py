"""The files of the demo's pictures, drawn on first use."""

from functools import cached_property

from evaluation.demo.drawing.pictures import draw_pictures
from evaluation.demo.progress import Progress
from evaluation.demo.world import CaptionedPicture, World


class Pictures:
    """Every picture of a world, over both tasks."""

    def __init__(self, world: World, progress: Progress) -> None:
        self._world, self._progress = world, progress

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The JPEG file of each picture by its id, drawn on first access."""
        tasks = (self._world.suggestion, self._world.promotion)
        items = [item for task in tasks for item in (*task.topics, *task.documents)]
        return draw_pictures([item for item in items if isinstance(item, CaptionedPicture)], self._progress)
