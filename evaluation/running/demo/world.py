"""The demo's worlds: drawn pictures and sections with two tasks, or real pictures with one."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from evaluation.running.demo.scenes import (
    SEED,
    THINGS,
    VALUES,
    Aspect,
    Scene,
    Subject,
    load_data,
    rng_of,
    sample_scene,
)
from evaluation.running.demo.stamps import Stamp, Wanted, read_stamps
from evaluation.running.demo.texts import write_captions, write_section

About: TypeAlias = Scene | Subject | Stamp | Wanted
"""What an item shows or tells: a picture, drawn or real, or a text, of a section or of a topic on stamps."""

TOPIC_SHARES: dict[Aspect, float] = {"setting": 0.55, "style": 0.25, "colour": 0.2}
"""Shares of the aspects among the topics of the suggestion task."""
SECTIONS_A_THING: dict[Aspect, int] = {"setting": 3, "style": 1, "colour": 1}
TOPICS_A_THING = 2
GIVEN = {0: (0.965, 0.03, 0.005), 1: (0.08, 0.85, 0.07), 2: (0.03, 0.12, 0.85)}
"""For each true grade a simulated assessor's probabilities of giving 0, 1 and 2."""


@dataclass(frozen=True)
class DemoItem:
    """A picture with its captions, or a text; `about` says which, and the truth."""

    id: str
    fields: dict[str, str]
    about: About

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture; else it is a text."""
        return isinstance(self.about, Scene | Stamp)


@dataclass(frozen=True)
class DemoTask:
    """One task: texts are topics and pictures are documents, or vice versa."""

    name: str
    topics: tuple[DemoItem, ...]
    documents: tuple[DemoItem, ...]

    @cached_property
    def about(self) -> dict[str, About]:
        """What each topic and document shows or tells, by id."""
        return {item.id: item.about for item in (*self.topics, *self.documents)}

    def truth(self, topic: str, docno: str) -> int:
        """Return the true grade of a pair, 0, 1 or 2. Raises KeyError for an unknown topic or document."""
        match self.about[topic], self.about[docno]:
            case (Subject() as subject, Scene() as scene) | (Scene() as scene, Subject() as subject):
                return subject.grade(scene)
            case (Wanted() as wanted, Stamp() as stamp):
                return wanted.grade(stamp)
        raise TypeError(f"{topic} and {docno} are not a text and a picture")


@dataclass(frozen=True)
class World:
    """The tasks of one demo; ``words`` are its track's, from a data file."""

    words: dict[str, Any]
    tasks: tuple[DemoTask, ...]

    @property
    def is_drawn(self) -> bool:
        """Whether its pictures are drawn, which the tiny models were trained on."""
        return isinstance(self.tasks[0].documents[0].about, Scene)


@dataclass(frozen=True)
class WorldSize:
    """Numbers of items of a world; the promotion task always has five sections per thing."""

    pictures: int = 600
    suggestion_topics: int = 40
    promotion_topics: int = 10


FULL = WorldSize()


def drawn_world(size: WorldSize = FULL) -> World:
    """Return the world of the demo's seed, whose pictures are drawn."""
    return World(load_data("track.toml"), make_world(SEED, size))


CAPTION = "caption"
CAPTIONED_SHARE = 0.6
"""Share of the stamps whose document has its caption; the others are found by what they show alone."""


def photo_world() -> World:
    """Return the world of the stamps. Raises InputError if they are not installed."""
    words, rng = load_data("photos.toml"), rng_of("captions", SEED)
    stamps = [
        DemoItem(
            f"stamp{number:03}", {CAPTION: stamp.caption} if rng.random() < CAPTIONED_SHARE else {}, stamp
        )
        for number, stamp in enumerate(read_stamps(), start=1)
    ]
    topics = [
        DemoItem(f"t{number:02}", _topic_fields(topic), Wanted(topic["words"], topic["folder"]))
        for number, topic in enumerate(words["topics"], start=1)
    ]
    return World(words, (DemoTask("stamps", tuple(topics), tuple(stamps)),))


def _topic_fields(topic: dict[str, str]) -> dict[str, str]:
    kind = topic["folder"].rpartition("/")[2].capitalize()
    return {
        "page_title": kind,
        "section_title": topic["title"],
        "context_section_description": topic["text"],
    }


def make_world(seed: int, size: WorldSize = FULL) -> tuple[DemoTask, DemoTask]:
    """Make the suggestion and the promotion task of this seed. They share words but no items."""
    rng = rng_of("pictures", seed)
    popularity = [rng.uniform(0.6, 1.6) for _ in THINGS]
    scenes = [sample_scene(rng, popularity) for _ in range(size.pictures)]
    topics = _topics(scenes, size.suggestion_topics, rng_of("suggestion", seed))
    sections = list(_sections(rng_of("sections", seed)))
    portraits = _portraits(sections, size.promotion_topics, rng_of("promotion", seed))
    return (
        DemoTask("suggestion", _items("s{:02}", topics, seed), _items("img{:04}", scenes, seed)),
        DemoTask("promotion", _items("p{:02}", portraits, seed), _items("sec{:03}", sections, seed)),
    )


def simulate_grade(
    task: DemoTask, topic: str, docno: str, *, is_second: bool, seed: int
) -> tuple[int, float]:
    """Grade a pair as its topic's assessor, or as the second one: the grade and the seconds it took.

    Simulated assessors differ only in their random numbers, so any of them can have the topic. The seconds
    have a median of six and a long tail.
    """
    rng = rng_of("grade", seed, "second" if is_second else "first", task.name, topic, docno)
    grade = rng.choices((0, 1, 2), GIVEN[task.truth(topic, docno)])[0]
    return grade, round(rng.lognormvariate(math.log(6), 0.5), 1)


def _items(names: str, about: Sequence[Scene | Subject], seed: int) -> tuple[DemoItem, ...]:
    return tuple(_item(names.format(number), subject, seed) for number, subject in enumerate(about, start=1))


def _item(name: str, about: Scene | Subject, seed: int) -> DemoItem:
    rng = rng_of("texts", seed, name)
    fields = write_captions(about, rng) if isinstance(about, Scene) else write_section(about, rng)
    return DemoItem(name, fields, about)


def _values(aspect: Aspect) -> list[str]:
    return [name for name in VALUES[aspect] if name != "photo"]  # nobody writes a section on photos as such


def _topics(scenes: list[Scene], count: int, rng: random.Random) -> list[Subject]:
    """Choose subjects with at least two illustrations, at most two per thing, aspects by their shares."""
    every = [
        Subject(thing, aspect, value) for thing in THINGS for aspect in VALUES for value in _values(aspect)
    ]
    rng.shuffle(every)
    left = {aspect: round(count * share) for aspect, share in TOPIC_SHARES.items()}
    chosen: list[Subject] = []
    for subject in every:
        is_new = sum(other.thing == subject.thing for other in chosen) < TOPICS_A_THING
        if is_new and left[subject.aspect] and sum(subject.grade(scene) == 2 for scene in scenes) >= 2:
            left[subject.aspect] -= 1
            chosen.append(subject)
    return chosen


def _sections(rng: random.Random) -> Iterator[Subject]:
    """Yield five subjects for each thing, in random order."""
    subjects = [
        Subject(thing, aspect, value)
        for thing in THINGS
        for aspect, count in SECTIONS_A_THING.items()
        for value in rng.sample(_values(aspect), count)
    ]
    yield from rng.sample(subjects, len(subjects))


def _portraits(sections: list[Subject], count: int, rng: random.Random) -> list[Scene]:
    """Choose scenes of different things, each of which illustrates at least one section."""
    chosen: dict[str, Scene] = {}
    while len(chosen) < count:
        scene = sample_scene(rng)
        if any(section.grade(scene) == 2 for section in sections):
            chosen.setdefault(scene.thing, scene)
    return list(chosen.values())
