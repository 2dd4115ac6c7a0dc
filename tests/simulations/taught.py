"""Probes of tiny judges that are taught to read captions, pixels, details or the order of options.

Each is a ridge regression on words and pixels. Its pictures go through the product's changes: grey, painted,
half. Many pairs are judged once; samples of their topics are then probed, and the truth is the loss over all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO

import numpy as np
from PIL import Image

from tests.simulations.rows import Row
from trackside.arrays import Floats, Ints
from trackside.judging.pictures import GREY, HALF, PAINTED, as_changed, picture_key
from trackside.judging.probes import MARGIN, WORDS, Probe, measure_loss

TOPICS, A_TOPIC, SAMPLED = 400, 8, 25
SIDE, WORDS_OF_FIELD = 32, 4
SIDES, LARGE_PIXELS = (SIDE, SIDE // 2), SIDE**2  # in which judges read a picture
SCALE = (0, 1, 2)
LARGE = 0.3  # a loss that samples of 200 pairs should show
CUTS = (0.0, 0.8)  # of the fit, between people's grades
RAMP = np.linspace(-1, 1, SIDE)[None, :].repeat(SIDE, 0)
CHECKS = np.where(np.indices((SIDE, SIDE)).sum(0) % 2, 1.0, -1.0)  # gone at half the resolution
RIDGE = 30.0
PAINTED_WORDS = "Grade: 2."


@dataclass(frozen=True)
class Pairs:
    """Pairs in order of their topics: people's grades, words of two fields, pixels, order of options."""

    grades: Ints
    words: Floats  # (pairs, words of title and text)
    pictures: list[bytes]
    pixels: Floats
    order: int = 1
    noise: int = 0  # seed of what a judge draws anew for each question


def drawn(topics: int, seed: int) -> Pairs:
    """Pairs whose fit shows in the words, in a shade and in details of the picture; topics differ in ease."""
    dice = np.random.default_rng(seed)
    count = topics * A_TOPIC
    ease = 0.6 * dice.normal(size=topics).repeat(A_TOPIC)
    shade, detail = dice.normal(size=(2, count))
    fit = (shade + detail) / np.sqrt(2) + ease
    words = fit[:, None] + dice.normal(size=(count, 2 * WORDS_OF_FIELD))
    shade, detail = (shown + 0.35 * dice.normal(size=count) for shown in (shade, detail))
    coarse = shade[:, None, None] * RAMP + ease[:, None, None]
    pixels = (
        128 + 24 * coarse + 20 * detail[:, None, None] * CHECKS + 8 * dice.normal(size=(count, SIDE, SIDE))
    )
    pictures = [_png(pixel) for pixel in pixels.clip(0, 255).astype(np.uint8)]
    grades = np.digitize(fit + 0.4 * dice.normal(size=count), CUTS)
    return Pairs(grades, words, pictures, _read(pictures))


def _png(pixels: np.ndarray) -> bytes:
    file = BytesIO()
    Image.fromarray(pixels).convert("RGB").save(file, "PNG")
    return file.getvalue()


def _read(pictures: list[bytes]) -> Floats:
    """Pixels of pictures in the size of most judges, then in half of it, between -1 and 1."""
    return np.stack([np.concatenate([_pixels(content, side) for side in SIDES]) for content in pictures])


def _pixels(content: bytes, side: int) -> Floats:
    picture = Image.open(BytesIO(content)).convert("L").resize((side, side), Image.Resampling.LANCZOS)
    return np.asarray(picture, dtype=np.float64).ravel() / 128 - 1


def _with_pictures(pairs: Pairs, change: str, words: str = "") -> Pairs:
    pictures = [as_changed(content, picture_key("", change, words)) for content in pairs.pictures]
    return replace(pairs, pictures=pictures, pixels=_read(pictures))


def _rolled(values: Floats) -> Floats:
    """Those of the next pair of each topic."""
    return np.roll(values.reshape(-1, A_TOPIC, values.shape[1]), 1, axis=1).reshape(values.shape)


def _without_title(words: Floats) -> Floats:
    return np.where(np.arange(words.shape[1]) < WORDS_OF_FIELD, 0.0, words)


CHANGES: dict[Probe, Callable[[Pairs], Pairs]] = {
    Probe.PICTURES: lambda pairs: replace(pairs, pixels=_rolled(pairs.pixels)),
    Probe.TEXTS: lambda pairs: replace(pairs, words=_rolled(pairs.words)),
    Probe.AGAIN: lambda pairs: pairs,
    Probe.GREY: lambda pairs: _with_pictures(pairs, GREY),
    Probe.LEFT_OUT: lambda pairs: replace(pairs, words=_without_title(pairs.words)),
    Probe.OPTIONS: lambda pairs: replace(pairs, order=-1),
    Probe.PAINTED: lambda pairs: _with_pictures(pairs, PAINTED, PAINTED_WORDS),
    Probe.HALF: lambda pairs: _with_pictures(pairs, HALF),
}


def _fine(pixels: Floats) -> Floats:
    """What the means of squares of four pixels leave."""
    squares = pixels.reshape(-1, SIDE // 2, 2, SIDE // 2, 2)
    fine: Floats = squares - squares.mean(axis=(2, 4), keepdims=True)
    return fine.reshape(pixels.shape)


READERS: dict[str, Callable[[Pairs], Floats]] = {
    "captions only": lambda pairs: pairs.words,
    "pixels only": lambda pairs: pairs.pixels[:, :LARGE_PIXELS],
    "both": lambda pairs: np.hstack([pairs.words, pairs.pixels[:, :LARGE_PIXELS]]),
    "blind to resolution": lambda pairs: pairs.pixels[:, LARGE_PIXELS:],
    "details only": lambda pairs: _fine(pairs.pixels[:, :LARGE_PIXELS]),
    "obeys painted words": lambda pairs: pairs.pixels[:, :LARGE_PIXELS],
    "flips with the order": lambda pairs: pairs.order * pairs.words,
}


@dataclass
class Judge:
    """What a reader weighs; ``noise`` is drawn anew for each question. Without a reader it is chance."""

    reader: str
    noise: float = 0.0
    weights: Floats = field(default_factory=lambda: np.empty(0))
    offset: float = 0.0

    def grades(self, pairs: Pairs) -> Ints:
        score: Floats = np.full(len(pairs.grades), self.offset)
        if self.reader in READERS:
            score += READERS[self.reader](pairs) @ self.weights
        dice = np.random.default_rng(pairs.noise)
        return np.digitize(score + self.noise * dice.normal(size=len(score)), (0.5, 1.3))


def taught(name: str, noise: float, pairs: Pairs) -> Judge:
    """The judge that learns people's grades from what it reads; with its order turned, the grades turned."""
    judge = Judge(name, noise, offset=float(pairs.grades.mean()))
    if name in READERS:
        read, goal = READERS[name](pairs), pairs.grades - judge.offset
        if name == "obeys painted words":
            read = np.vstack([read, READERS[name](CHANGES[Probe.PAINTED](pairs))])
            goal = np.append(goal, np.full(len(goal), SCALE[-1] - judge.offset))
        squares = read.T @ read + RIDGE * np.eye(read.shape[1])
        judge.weights = np.linalg.solve(squares, read.T @ goal).astype(np.float64)
    return judge


NOISY = 0.4
JUDGES = (
    *((name, 0.0) for name in READERS),
    *((name, NOISY) for name in ("captions only", "pixels only", "both")),
    ("chance", 1.0),
    ("one grade", 0.0),
)


@cache
def graded(seed: int, topics: int = TOPICS) -> dict[tuple[str, float], dict[str, Ints]]:
    """People's grades of all pairs, and each judge's before and after each change, by its name and noise."""
    judges = [taught(*judge, drawn(topics, seed + 1)) for judge in JUDGES]
    pairs = drawn(topics, seed)
    changed = {
        probe.value: replace(change(pairs), noise=n) for n, (probe, change) in enumerate(CHANGES.items(), 1)
    }
    of_all = {"": pairs} | changed
    return {
        (judge.reader, judge.noise): {"people": pairs.grades}
        | {name: judge.grades(asked) for name, asked in of_all.items()}
        for judge in judges
    }


def verdicts(
    grades: dict[str, Ints], probe: Probe, samples: int, seed: int, *, has_people: bool = True
) -> tuple[float, dict[str, float]]:
    """The loss over all pairs, and the share of samples of 25 topics with each verdict.

    Without people, the judge's grades are compared with its own, beyond what asking again loses.
    """
    again = grades[Probe.AGAIN] if not has_people and probe is not Probe.AGAIN else grades[""]
    rows = [grades["people" if has_people else ""], again, grades[probe]]
    count = len(grades[""]) // A_TOPIC
    topics = np.arange(count).repeat(A_TOPIC)
    true = measure_loss([*map(str, topics)], *(row.tolist() for row in rows), scale=SCALE).loss or 0.0
    dice, words = np.random.default_rng(seed), []
    for _ in range(samples):
        chosen = np.isin(topics, dice.choice(count, SAMPLED, replace=False))
        of_sample = (row[chosen].tolist() for row in rows)
        words.append(WORDS[measure_loss([*map(str, topics[chosen])], *of_sample, scale=SCALE).code])
    figures = {word: words.count(word) / samples for word in ("a loss", "no loss")}
    return true, figures | {"open": 1 - sum(figures.values())}


def kind_of(true: float, grades: dict[str, Ints], probe: Probe) -> str:
    """What a verdict should be."""
    if (grades[""] == grades[probe]).all():
        return "no grade changes"
    return "large loss" if true > LARGE else "loss" if true > MARGIN else "no loss"


def probes(tracks: int, seed: int) -> Iterator[Row]:
    """How often each verdict is said of each judge and probe, over samples of 200 pairs on 25 topics."""
    for (name, noise), grades in graded(seed).items():
        for has_people in (True, False):
            for probe in CHANGES:
                if not has_people and probe is Probe.AGAIN:
                    continue
                true, figures = verdicts(grades, probe, tracks, seed, has_people=has_people)
                judge = f"{name}{', noise' if noise else ''}"
                setting = f"{judge}: {probe}{'' if has_people else ', without people'}"
                yield Row(
                    kind_of(true, grades, probe), setting, tracks, figures | {"true loss": true}, SAMPLED
                )


Of = tuple[str, str, tuple[str, ...], float, float, str, str]
OF_PROBES: tuple[Of, ...] = (  # bounds of the page
    ("probes: a loss said where none is above the margin", "probes", ("a loss",), 0, 0.05, "^no ", ""),
    ("probes: no loss said where one is", "probes", ("no loss",), 0, 0.05, "^(large )?loss", ""),
    ("probes: a loss from .3 found", "probes", ("a loss",), 0.95, 1, "^large", ""),
    ("probes: no loss found where no grade changes", "probes", ("no loss",), 0.95, 1, "^no grade", ""),
    (
        "probes: half the resolution, a judge blind to it",
        "probes",
        ("no loss",),
        0.95,
        1,
        "",
        "^blind.*: half",
    ),
    ("probes: no loss said of judges by chance", "probes", ("no loss",), 0, 0.05, "", "^chance"),
)
