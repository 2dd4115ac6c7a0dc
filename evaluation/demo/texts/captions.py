"""Captions of pictures: AToMiC's three kinds, many of them missing and some of them unhelpful."""

import random

from evaluation.demo.scenes import SETTINGS, STYLES, Scene
from evaluation.demo.things import THINGS

MISSING_SHARES = {
    "caption_reference_description": 0.42,
    "caption_alt_text_description": 0.75,
    "caption_attribution_description": 0.03,
}
"""Share of AToMiC's images without each caption."""
AUTHORS = ("Marsh", "Okoye", "Lindt", "Perez", "Novak", "Sato", "Hale", "Brandt")


def sample_captions(scene: Scene, rng: random.Random) -> dict[str, str]:
    """Write the captions of a picture; a missing one has no key."""
    texts = {
        "caption_reference_description": reference_caption(scene, rng),
        "caption_alt_text_description": alt_text(scene, rng),
        "caption_attribution_description": attribution(scene, rng),
    }
    return {name: text for name, text in texts.items() if rng.random() >= MISSING_SHARES[name]}


def reference_caption(scene: Scene, rng: random.Random) -> str:
    """Write the caption below the picture in an article; one in eight does not describe the picture."""
    place, year = _place(scene, rng), rng.randint(1850, 2015)
    if rng.random() < 0.12:
        return rng.choice(
            [f"View in {year}", f"See text; seen from {place}", "First edition", f"Near {place}, {year}"]
        )
    thing, where, made = _name(scene, rng, 0.25), _where(scene, rng), _style_word(scene, rng)
    text = rng.choice(
        [
            f"{thing.capitalize()} at {place}",
            f"The {scene.colour} {thing} of {place}",
            f"{with_article(thing).capitalize()} {where}",
            f"{thing.capitalize()} near {place} {where}, {year}",
            f"{made.capitalize()} of the {thing} at {place}, {year}",
            f"The {thing} {where}",
            f"{with_article(scene.colour).capitalize()} {thing} {where}, {made} of {year}",
        ]
    )
    if scene.companion is not None and rng.random() < 0.3:
        text += f", with {with_article(scene.companion)} beside it"
    return text


def alt_text(scene: Scene, rng: random.Random) -> str:
    """Write the text for readers who cannot see the picture."""
    thing, where, made = _name(scene, rng, 0.15), _where(scene, rng), _style_word(scene, rng)
    return rng.choice(
        [
            f"{made} of {with_article(scene.colour)} {thing} {where}",
            f"{with_article(scene.colour)} {thing} {where}",
            f"{made} of {with_article(thing)}",
            f"{with_article(thing)} {where}",
            f"{scene.colour} {thing}",
        ]
    )


def attribution(scene: Scene, rng: random.Random) -> str:
    """Write the picture's credit line: in English, in German, or without a description of the picture."""
    author = f"{rng.choice('ABCDEHJKLMRST')}. {rng.choice(AUTHORS)}"
    place, kind = _place(scene, rng), rng.random()
    if kind < 0.4:
        thing = _name(scene, rng, 0.35)
        return rng.choice(
            [
                f"English: {thing.capitalize()} in {place}. Own work by {author}",
                f"{thing.capitalize()}, {place}, {_style_word(scene, rng)} by {author}",
                f"English: {with_article(thing).capitalize()} {_where(scene, rng)}",
            ]
        )
    if kind < 0.7:
        return f"Deutsch: {THINGS[scene.thing].german} bei {place}. Eigenes Werk, {author}"
    return f"Own work by {author}, {rng.randint(1999, 2020)}, CC BY-SA"


def with_article(words: str) -> str:
    """Prefix the words with a or an."""
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def _name(scene: Scene, rng: random.Random, alias_share: float) -> str:
    thing = THINGS[scene.thing]
    return rng.choice(thing.aliases) if rng.random() < alias_share else thing.name


def _where(scene: Scene, rng: random.Random) -> str:
    return rng.choice(SETTINGS[scene.setting].phrases)


def _place(scene: Scene, rng: random.Random) -> str:
    return rng.choice(SETTINGS[scene.setting].places)


def _style_word(scene: Scene, rng: random.Random) -> str:
    return rng.choice(STYLES[scene.style].words)
