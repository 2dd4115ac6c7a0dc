"""Captions of pictures and sections of an encyclopedia, with AToMiC's fields, from templates."""

import random
import re

from evaluation.running.demo.scenes import THINGS, VALUES, Aspect, Scene, Subject, load_data

TEXTS = load_data("texts.toml")
ALIAS_SHARE, COMPANION_SHARE, CHAPTER_SHARE, CLOSING_SHARE = 0.2, 0.15, 0.6, 0.7
TELLING_TITLE_SHARE = 0.45
"""Share of sections whose title names the aspect; other titles are History, Overview and similar."""


def write_captions(scene: Scene, rng: random.Random) -> dict[str, str]:
    """Write AToMiC's three captions of a picture; a missing one has no key."""
    texts = {name: caption(scene, name, rng) for name in TEXTS["captions"]}
    return {name: text for name, text in texts.items() if rng.random() >= TEXTS["missing"][name]}


def caption(scene: Scene, kind: str, rng: random.Random) -> str:
    """Write one caption of a kind; some do not describe the picture, and some are in German."""
    words = _thing_words(scene.thing, rng) | {"year": str(rng.randint(1850, 2015))}
    for aspect in VALUES:
        words |= _value_words(aspect, getattr(scene, aspect), rng)
    words["author"] = rng.choice(TEXTS["authors"])
    text = _filled(rng.choice(TEXTS["captions"][kind]), words)
    if scene.companion and rng.random() < COMPANION_SHARE:
        return _filled(TEXTS["companion"], {"caption": text, "companion": scene.companion})
    return text


def name_thing(scene: Scene, rng: random.Random) -> str:
    """Write only the name of the thing."""
    return _filled(rng.choice(TEXTS["names"]), _thing_words(scene.thing, rng))


def page_sentences(thing: str, rng: random.Random) -> list[str]:
    """Write general sentences about a thing."""
    group = TEXTS["groups"][THINGS[thing]["group"]]
    first = "The {name}, also called the {alias} in older books, is " + group["genus"] + "."
    chosen = rng.sample([*group["facts"], *TEXTS["sections"]["page"]], rng.randint(3, 5))
    return [_filled(sentence, _thing_words(thing, rng)) for sentence in (first, *chosen)]


def write_section(subject: Subject, rng: random.Random) -> dict[str, str]:
    """Write the five fields of a section."""
    page_title, section_title = subject.thing.capitalize(), _title(subject, rng)
    chapter = [rng.choice(TEXTS["sections"]["chapters"])] if rng.random() < CHAPTER_SHARE else []
    return {
        "page_title": page_title,
        "section_title": section_title,
        "hierarchy": " | ".join([page_title, *chapter, section_title]),
        "context_page_description": " ".join(page_sentences(subject.thing, rng)),
        "context_section_description": " ".join(_section_sentences(subject, rng)),
    }


def _section_sentences(subject: Subject, rng: random.Random) -> list[str]:
    """Write some general sentences, three about the aspect in random order, a fact and a closing one."""
    words = _thing_words(subject.thing, rng) | _value_words(subject.aspect, subject.value, rng)
    templates = TEXTS["sections"]["core"][subject.aspect]
    leads = rng.sample(TEXTS["sections"]["leads"], rng.randint(1, 3))
    fact = rng.choice(TEXTS["groups"][THINGS[subject.thing]["group"]]["facts"])
    closing = [TEXTS["sections"]["closing"]] if rng.random() < CLOSING_SHARE else []
    return [*leads, *(_filled(template, words) for template in rng.sample(templates, 3)), fact, *closing]


def _title(subject: Subject, rng: random.Random) -> str:
    if rng.random() >= TELLING_TITLE_SHARE:
        return str(rng.choice(TEXTS["sections"]["plain_titles"]))
    if subject.aspect == "colour":
        return f"{subject.value.capitalize()} varieties"
    return str(VALUES[subject.aspect][subject.value]["title"])


def _thing_words(name: str, rng: random.Random) -> dict[str, str]:
    """Return the words for a thing; `thing` is its name or, at times, another name."""
    thing = THINGS[name]
    alias = rng.choice(thing["aliases"])
    siblings = [other for other in THINGS if THINGS[other]["group"] == thing["group"] and other != name]
    called = alias if rng.random() < ALIAS_SHARE else name
    return {
        "thing": called,
        "name": name,
        "alias": alias,
        "german": thing["german"],
        "sibling": rng.choice(siblings),
    }


def _value_words(aspect: Aspect, value: str, rng: random.Random) -> dict[str, str]:
    """Return the words for a setting, style or colour; `elsewhere` is for another one."""
    other = rng.choice([name for name in VALUES[aspect] if name != value])
    if aspect == "colour":
        return {"colour": value, "elsewhere": other}
    known, unlike = VALUES[aspect][value], VALUES[aspect][other]
    if aspect == "style":
        medium, other_medium = rng.choices(known["words"], k=2)
        return {"medium": medium, "other_medium": other_medium, "elsewhere": rng.choice(unlike["words"])}
    (where, there), (place, town) = rng.sample(known["phrases"], 2), rng.sample(known["places"], 2)
    elsewhere = rng.choice(unlike["phrases"])
    return {"where": where, "there": there, "place": place, "town": town, "elsewhere": elsewhere}


def _filled(template: str, words: dict[str, str]) -> str:
    """Fill the template, and begin with a capital."""
    text = re.sub(r"\ba (?=[aeiou])", "an ", template.format(**words))
    return text[0].upper() + text[1:]
