"""The size of the tests' small world."""

from evaluation.running.demo.world import WorldSize

SMALL = WorldSize(pictures=120, suggestion_topics=4, promotion_topics=3)
