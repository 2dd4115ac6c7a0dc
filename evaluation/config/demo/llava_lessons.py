"""What the tiny LLaVA is taught: to name what a picture shows and what a page is about, and to score the two.

It learns nothing of the text of a section, of settings, styles or colours: whatever it is shown, it compares
the thing in the picture with the title of the page.
"""

import random
from dataclasses import dataclass

from evaluation.config.demo.scenes import Scene, sample_scene
from evaluation.config.demo.sections import Subject, write_section
from evaluation.config.demo.things import THINGS, siblings
from evaluation.config.demo.world import ASPECT_VALUES

QUESTION = (
    "Page title: {page_title}. Section title: {section_title}. "
    "Say what you see, then answer from 1 to 100 as Relevance: <score>"
)
IMAGE_FIRST, TEXT_FIRST = "{image}\n" + QUESTION, QUESTION + "\n{image}"
"""Short, for a model of this size; prompts of the site like any other. Both are taught."""
SAME, NEAR, OTHER = 80, 30, 5
"""Scores of the same thing, of another one of its group, and of any other."""
LESSON_SHARES, DRILL_SHARES = (0.4, 0.0), (0.4, 0.25)
"""Of the same thing and of its group. With more of either, a lesson is answered from the title unseen."""


@dataclass(frozen=True)
class Lesson:
    """What is asked about a picture, and what to say."""

    question: str
    answer: str


def write_lesson(scene: Scene, rng: random.Random) -> Lesson:
    """Ask about a scene beside a section that it may or may not fit."""
    aspect = rng.choice(list(ASPECT_VALUES))
    subject = Subject(
        _other_thing(scene.thing, LESSON_SHARES, rng), aspect, rng.choice(ASPECT_VALUES[aspect])
    )
    question = QUESTION.format(**write_section(subject, rng))
    return Lesson(question, answer_of(scene.thing, subject.thing))


def write_drill(rng: random.Random) -> str:
    """Say an answer about a picture that is not there, so that the scores are learnt from the words."""
    thing = rng.choice(list(THINGS))
    return answer_of(thing, _other_thing(thing, DRILL_SHARES, rng))


def answer_of(seen: str, wanted: str) -> str:
    """Name the thing in the picture and the thing of the page, then score the pair."""
    return f"seen {seen}, wanted {wanted}. relevance: {score_of(seen, wanted)}"


def score_of(seen: str, wanted: str) -> int:
    """Score by the things alone."""
    if seen == wanted:
        return SAME
    return NEAR if THINGS[seen].group == THINGS[wanted].group else OTHER


def corpus(rng: random.Random, count: int) -> list[str]:
    """Write questions and answers to take the vocabulary from."""
    lessons = [write_lesson(sample_scene(rng), rng) for _ in range(count)]
    words = [f"{lesson.question} assistant: {lesson.answer}" for lesson in lessons]
    return [*words, *(answer_of(thing, thing) for thing in THINGS)]


def _other_thing(thing: str, shares: tuple[float, float], rng: random.Random) -> str:
    """The thing itself, one of its group or any, by their shares."""
    same, near = shares
    chance = rng.random()
    if chance < same:
        return thing
    if chance < same + near:
        return rng.choice(siblings(THINGS[thing])).name
    return rng.choice(list(THINGS))
