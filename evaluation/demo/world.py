"""The demo's world: pictures, sections and two tasks between them, all from one seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from evaluation.demo.scenes import COLOURS, SETTINGS, STYLES, Aspect, Scene, sample_scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.texts.articles import Subject, write_section
from evaluation.demo.texts.captions import sample_captions
from evaluation.demo.things import THINGS

ASPECT_VALUES: dict[Aspect, list[str]] = {
    "setting": list(SETTINGS),
    "style": [name for name in STYLES if name != "photo"],  # nobody writes a section on photos as such
    "colour": list(COLOURS),
}
ASPECT_SHARES: dict[Aspect, float] = {"setting": 0.55, "style": 0.25, "colour": 0.2}
"""Shares of the aspects among the topics of the suggestion task."""
SECTIONS_A_THING: dict[Aspect, int] = {"setting": 3, "style": 1, "colour": 1}
TOPICS_A_THING = 2


@dataclass(frozen=True)
class CaptionedPicture:
    """A picture with its captions (`fields`); its file is drawn from `scene` and `seed`."""

    id: str
    scene: Scene
    seed: str
    fields: dict[str, str]


@dataclass(frozen=True)
class ArticleSection:
    """A section of text with AToMiC's five fields."""

    id: str
    subject: Subject
    fields: dict[str, str]


Item: TypeAlias = CaptionedPicture | ArticleSection


@dataclass(frozen=True)
class DemoTask:
    """One task: sections are topics and pictures are documents, or vice versa."""

    name: Literal["suggestion", "promotion"]
    topics: tuple[Item, ...]
    documents: tuple[Item, ...]

    def truth(self, topic: str, docno: str) -> int:
        """Return the true grade of a pair, 0, 1 or 2. Raises KeyError for an unknown topic or document."""
        match self.topic_by_id[topic], self.document_by_id[docno]:
            case (ArticleSection() as section, CaptionedPicture() as picture) | (
                CaptionedPicture() as picture,
                ArticleSection() as section,
            ):
                return section.subject.grade(picture.scene)
        raise TypeError(f"{topic} and {docno} are not a section and a picture")

    @cached_property
    def topic_by_id(self) -> dict[str, Item]:
        """Return the topics by id."""
        return {item.id: item for item in self.topics}

    @cached_property
    def document_by_id(self) -> dict[str, Item]:
        """Return the documents by id."""
        return {item.id: item for item in self.documents}


@dataclass(frozen=True)
class World:
    """Two tasks over one world. They share things and words but no items."""

    seed: int
    suggestion: DemoTask
    promotion: DemoTask


@dataclass(frozen=True)
class WorldSize:
    """Numbers of items of a world; the promotion task always has five sections per thing."""

    pictures: int
    suggestion_topics: int
    promotion_topics: int


FULL = WorldSize(pictures=600, suggestion_topics=40, promotion_topics=10)


def make_world(seed: int, *, size: WorldSize = FULL) -> World:
    """Make the world of this seed, which is the same in every process. Pictures are drawn later."""
    pictures = tuple(_pictures(seed, size.pictures))
    topics = tuple(_suggestion_topics(seed, size.suggestion_topics, pictures))
    sections = tuple(_sections(seed))
    portraits = tuple(_promotion_topics(seed, size.promotion_topics, sections))
    return World(
        seed=seed,
        suggestion=DemoTask("suggestion", topics=topics, documents=pictures),
        promotion=DemoTask("promotion", topics=portraits, documents=sections),
    )


def _pictures(seed: int, count: int) -> Iterator[CaptionedPicture]:
    rng = rng_of("pictures", seed)
    popularity = [rng.uniform(0.6, 1.6) for _ in THINGS]
    for number in range(1, count + 1):
        scene = sample_scene(rng, popularity)
        yield _picture(f"img{number:04d}", scene, seed)


def _picture(name: str, scene: Scene, seed: int) -> CaptionedPicture:
    own_seed = f"{seed}/{name}"
    return CaptionedPicture(name, scene, own_seed, sample_captions(scene, rng_of("captions", own_seed)))


def _section(name: str, subject: Subject, seed: int) -> ArticleSection:
    return ArticleSection(name, subject, write_section(subject, rng_of("section", seed, name)))


def _suggestion_topics(
    seed: int, count: int, pictures: tuple[CaptionedPicture, ...]
) -> Iterator[ArticleSection]:
    """Choose subjects with at least two illustrations, at most two per thing, aspects by their shares."""
    subjects = [subject for subject in _all_subjects() if _illustrations(subject, pictures) >= 2]
    rng_of("suggestion", seed).shuffle(subjects)
    left = {aspect: round(count * share) for aspect, share in ASPECT_SHARES.items()}
    chosen: list[Subject] = []
    for subject in subjects:
        used = sum(other.thing == subject.thing for other in chosen)
        if left[subject.aspect] > 0 and used < TOPICS_A_THING:
            left[subject.aspect] -= 1
            chosen.append(subject)
    for number, subject in enumerate(chosen, start=1):
        yield _section(f"s{number:02d}", subject, seed)


def _illustrations(subject: Subject, pictures: tuple[CaptionedPicture, ...]) -> int:
    return sum(subject.grade(picture.scene) == 2 for picture in pictures)


def _all_subjects() -> list[Subject]:
    return [
        Subject(thing, aspect, value)
        for thing in THINGS
        for aspect, values in ASPECT_VALUES.items()
        for value in values
    ]


def _sections(seed: int) -> Iterator[ArticleSection]:
    """Write five sections on each thing, all on different subjects."""
    rng = rng_of("sections", seed)
    subjects = [
        Subject(thing, aspect, value)
        for thing in THINGS
        for aspect, count in SECTIONS_A_THING.items()
        for value in rng.sample(ASPECT_VALUES[aspect], count)
    ]
    rng.shuffle(subjects)
    for number, subject in enumerate(subjects, start=1):
        yield _section(f"sec{number:03d}", subject, seed)


def _promotion_topics(seed: int, count: int, sections: tuple[ArticleSection, ...]) -> list[CaptionedPicture]:
    """Choose pictures of different things, each of which illustrates at least one section."""
    rng = rng_of("promotion", seed)
    chosen: dict[str, Scene] = {}
    while len(chosen) < count:
        scene = sample_scene(rng)
        if scene.thing not in chosen and any(section.subject.grade(scene) == 2 for section in sections):
            chosen[scene.thing] = scene
    return [_picture(f"p{number:02d}", scene, seed) for number, scene in enumerate(chosen.values(), start=1)]
