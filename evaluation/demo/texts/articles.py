"""Encyclopedia sections with AToMiC's five fields, each about a thing and one aspect of it."""

import random
from dataclasses import dataclass

from evaluation.demo.scenes import COLOURS, SETTINGS, STYLES, Aspect, Scene
from evaluation.demo.texts.captions import with_article
from evaluation.demo.texts.phrases import CHAPTERS, CLOSING, FACTS, GENUS, LEADS, PLAIN_TITLES, SCHOLARSHIP
from evaluation.demo.things import THINGS, siblings

TELLING_TITLE_SHARE = 0.45
"""Share of sections whose title names the aspect; other titles are History, Overview and similar."""


@dataclass(frozen=True)
class Subject:
    """The subject of a section: a thing, and one aspect of it: a setting, style or colour."""

    thing: str
    aspect: Aspect
    value: str

    def grade(self, scene: Scene) -> int:
        """Return the true grade of a picture and a section, for both tasks.

        2: the picture illustrates the section; 1: it shares the subject but not the context; 0: neither.
        A companion at the edge of the picture is not its subject.
        """
        if scene.thing != self.thing:
            return 0
        return 2 if scene.aspect(self.aspect) == self.value else 1


def write_section(subject: Subject, rng: random.Random) -> dict[str, str]:
    """Write the five fields of a section."""
    page_title = subject.thing.capitalize()
    is_telling = rng.random() < TELLING_TITLE_SHARE
    section_title = _telling_title(subject) if is_telling else rng.choice(PLAIN_TITLES)
    chapter = [rng.choice(CHAPTERS)] if rng.random() < 0.6 else []
    return {
        "page_title": page_title,
        "section_title": section_title,
        "hierarchy": " | ".join([page_title, *chapter, section_title]),
        "context_page_description": _page_description(subject.thing, rng),
        "context_section_description": _section_description(subject, rng),
    }


def page_sentences(name: str, rng: random.Random) -> list[str]:
    """Write general sentences of an encyclopedia about a thing."""
    thing = THINGS[name]
    other = rng.choice(siblings(thing)).name
    return [
        f"The {name}, also called the {rng.choice(thing.aliases)} in older books, is {GENUS[thing.group]}.",
        rng.choice(
            [
                f"It is often discussed together with the {other}, from which it differs in form.",
                f"Unlike the {other}, it has kept its name in most languages.",
            ]
        ),
        *rng.sample(FACTS[thing.group], 2),
        rng.choice(SCHOLARSHIP),
        f"This article describes the {name} in general; for particular examples see the lists at the end.",
    ]


def _page_description(name: str, rng: random.Random) -> str:
    first, *others = page_sentences(name, rng)
    return " ".join([first, *rng.sample(others, rng.randint(3, 5))])


def _section_description(subject: Subject, rng: random.Random) -> str:
    """Write some general sentences, three about the aspect in random order, and a closing one."""
    leads = rng.sample(LEADS, rng.randint(1, 3))
    core = {"setting": _on_setting, "style": _on_style, "colour": _on_colour}[subject.aspect](subject, rng)
    rng.shuffle(core)
    fact = rng.choice(FACTS[THINGS[subject.thing].group])
    closing = [CLOSING] if rng.random() < 0.7 else []
    return " ".join([*leads, *core, fact, *closing])


def _on_setting(subject: Subject, rng: random.Random) -> list[str]:
    thing, alias = subject.thing, rng.choice(THINGS[subject.thing].aliases)
    setting = SETTINGS[subject.value]
    other = SETTINGS[rng.choice([name for name in SETTINGS if name != subject.value])]
    here, there = rng.sample(setting.phrases, 2)
    first, second = rng.sample(setting.places, 2)
    return [
        f"The best known examples of the {thing} are found {here}, for instance at {first} and at {second}.",
        f"{with_article(thing).capitalize()} {there} looks different from one {rng.choice(other.phrases)}.",
        f"Visitors who see the {alias} {rng.choice(setting.phrases)} often remark on the surroundings.",
    ]


def _on_style(subject: Subject, rng: random.Random) -> list[str]:
    thing, alias = subject.thing, rng.choice(THINGS[subject.thing].aliases)
    words = STYLES[subject.value].words
    other = STYLES[rng.choice([name for name in STYLES if name != subject.value])]
    word = rng.choice(words)
    return [
        f"The {thing} became a favourite subject for the {word}, and every collection holds a {word} of it.",
        f"Compared with the {rng.choice(other.words)}, the {words[0]} shows less accident and more intent.",
        f"Students still copy {with_article(rng.choice(words))} of the {alias} as an exercise.",
    ]


def _on_colour(subject: Subject, rng: random.Random) -> list[str]:
    thing, value, alias = subject.thing, subject.value, rng.choice(THINGS[subject.thing].aliases)
    other = rng.choice([name for name in COLOURS if name != value])
    return [
        f"The {value} {thing} is the most admired, and {with_article(value)} {alias} is in every handbook.",
        f"The {other} {thing} is more common but attracts less attention.",
        f"Why {value} examples of the {thing} should be preferred has never been explained.",
    ]


def _telling_title(subject: Subject) -> str:
    if subject.aspect == "setting":
        return SETTINGS[subject.value].title
    if subject.aspect == "style":
        return STYLES[subject.value].title
    return f"{subject.value.capitalize()} varieties"
