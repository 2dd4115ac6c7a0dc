"""Training data of the tiny LLaVA: name the things in the picture and of the page, and score the pair.

It learns nothing about the text of a section, settings, styles or colours: it only compares the thing in the
picture with the title of the page.
"""

import random
from dataclasses import dataclass

from evaluation.demo.scenes import Scene, sample_scene
from evaluation.demo.texts.articles import Subject, write_section
from evaluation.demo.things import THINGS, siblings
from evaluation.demo.world import ASPECT_VALUES

QUESTION = (
    "Page title: {page_title}. Section title: {section_title}. "
    "Say what you see, then answer from 1 to 100 as Relevance: <score>"
)
IMAGE_FIRST, TEXT_FIRST = "{image}\n" + QUESTION, QUESTION + "\n{image}"
"""Short prompts for a small model; the site uses them like any others. The model is trained on both."""
SAME, NEAR, OTHER = 80, 30, 5
"""Scores for the same thing, for another thing of its group, and for any other thing."""
LESSON_SHARES, DRILL_SHARES = (0.4, 0.0), (0.4, 0.25)
"""Shares of the same thing and of its group. With more of either, the model answers from the title alone."""


@dataclass(frozen=True)
class PictureQuestion:
    """A question about a picture, and the expected answer."""

    question: str
    answer: str


def write_lesson(scene: Scene, rng: random.Random) -> PictureQuestion:
    """Write a question about a scene and a section that may or may not fit."""
    aspect = rng.choice(list(ASPECT_VALUES))
    subject = Subject(
        _other_thing(scene.thing, LESSON_SHARES, rng), aspect, rng.choice(ASPECT_VALUES[aspect])
    )
    question = QUESTION.format(**write_section(subject, rng))
    return PictureQuestion(question, answer_of(scene.thing, subject.thing))


def write_drill(rng: random.Random) -> str:
    """Write an answer without a picture, so that the model learns the scores from the names."""
    thing = rng.choice(list(THINGS))
    return answer_of(thing, _other_thing(thing, DRILL_SHARES, rng))


def answer_of(seen: str, wanted: str) -> str:
    """Write the answer: the thing in the picture, the thing of the page, and the score of the pair."""
    return f"seen {seen}, wanted {wanted}. relevance: {score_of(seen, wanted)}"


def score_of(seen: str, wanted: str) -> int:
    """Score a pair by its things alone."""
    if seen == wanted:
        return SAME
    return NEAR if THINGS[seen].group == THINGS[wanted].group else OTHER


def corpus(rng: random.Random, count: int) -> list[str]:
    """Write questions and answers for the vocabulary."""
    lessons = [write_lesson(sample_scene(rng), rng) for _ in range(count)]
    words = [f"{lesson.question} assistant: {lesson.answer}" for lesson in lessons]
    return [*words, *(answer_of(thing, thing) for thing in THINGS)]


def _other_thing(thing: str, shares: tuple[float, float], rng: random.Random) -> str:
    """Draw the thing itself, one of its group or any, by their shares."""
    same, near = shares
    chance = rng.random()
    if chance < same:
        return thing
    if chance < same + near:
        return rng.choice(siblings(THINGS[thing])).name
    return rng.choice(list(THINGS))
