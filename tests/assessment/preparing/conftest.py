"""The task to set up and its organizer, of the tests of the other steps."""

from tests.evaluation.organizing.setup.conftest import organizer, task

__all__ = ["organizer", "task"]
