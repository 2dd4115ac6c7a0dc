"""Real tracks and real judges' errors to draw from, if TRACKSIDE_CASES names their folder."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tests.simulations.studies import Track, drawn_grades
from trackside.arrays import Flags, Floats, Ints
from trackside.files import Qrels, Rankings
from trackside.findings.retrieved import Retrieved, retrieved_of
from trackside.measuring.lookup import JudgedPairs

NAMES = ("dl2021", "robust03")
LEVELS = {"dl2021": 2, "robust03": 1}
DEPTH = 100  # results of a topic that are kept
FIRST = 10


@dataclass(frozen=True)
class RealTrack:
    """The runs of a real track with three declared families, and people's grades."""

    name: str
    track: Track
    people: Ints

    def drawn_judge(self, rng: np.random.Generator, errors: Floats) -> Ints:
        """A judge that errs on each topic as a language model did on some topic, and cannot see runs."""
        source = rng.integers(0, len(errors), self.track.topic_count)[self.track.topic_of_pair]
        return drawn_grades(rng, errors[source, self.people])


def real_folder() -> Path | None:
    """The folder of real tracks; None without TRACKSIDE_CASES."""
    root = os.environ.get("TRACKSIDE_CASES")
    folder = Path(root or "") / "real"
    return folder if root and folder.is_dir() else None


def errors_of(folder: Path, highest: int) -> list[Floats]:
    """For each language model the chances [topic, people's grade, its grade], up to the highest grade.

    A grade that people did not give on a topic has the model's chances over all topics.
    """
    judges = json.loads((folder / "judge-errors-dl2020.json").read_text())["judges"]
    return [_chances(judge, highest) for judge in judges.values()]


def confusions_of(folder: Path) -> dict[str, Ints]:
    """Confusion matrices [topic, people, model] of two language models, by name."""
    judges = json.loads((folder / "judge-errors-dl2020.json").read_text())["judges"]
    chosen = list(judges)[:: len(judges) // 2]
    return {f"DL 2020, {name}": np.array(list(judges[name]["by_topic"].values())) for name in chosen}


def _chances(judge: dict[str, object], highest: int) -> Floats:
    overall = np.array(judge["overall"], dtype=np.float64)
    by_topic = np.array(list(judge["by_topic"].values()), dtype=np.float64)  # type: ignore[attr-defined]
    counts = np.where(by_topic.sum(axis=2, keepdims=True) > 0, by_topic, overall)
    counts[:, :, highest] = counts[:, :, highest:].sum(axis=2)
    kept = counts[:, : highest + 1, : highest + 1]
    chances: Floats = kept / kept.sum(axis=2, keepdims=True)
    return chances


@cache
def real_track(folder: Path, name: str) -> RealTrack:
    """A track with three declared families, and the graded pairs that some run has in its first 100."""
    (qrels,) = (folder / name).glob("*qrels.gz")
    pairs = JudgedPairs([Qrels.from_file(str(qrels))])
    files = sorted((folder / name / "runs").glob("*.gz"))
    tags = [file.name.removesuffix(".gz") for file in files]
    found = [
        _cut(retrieved_of(ranking, pairs, pairs.find(ranking)))
        for file, tag in zip(files, tags, strict=True)
        for ranking in (Rankings.from_file(str(file), tag=tag),)
    ]
    kept = np.unique(np.concatenate([run.pairs for run in found]))
    runs = tuple(Retrieved(np.searchsorted(kept, run.pairs), run.ranks, run.counts) for run in found)
    teams = tuple(TEAMS[name](tag) for tag in tags)
    people = np.maximum(pairs.grades[0], 0)[kept]
    families = FAMILIES[name](tags, teams, runs)
    scale = tuple(range(int(people.max()) + 1))
    track = Track(scale, LEVELS[name], pairs.topic_of_pair[kept], runs, teams, families)
    return RealTrack(name, track, people)


def _cut(run: Retrieved) -> Retrieved:
    is_kept = run.ranks < DEPTH
    return Retrieved(run.pairs[is_kept], run.ranks[is_kept], np.minimum(run.counts, DEPTH))


TEAM_OF_START = (
    ("p_", "castorini"),
    ("mono_", "h2oloo"),
    ("wat", "waterloo"),
    ("uog", "glasgow"),
    ("pass_", "passages"),
    ("top1000", "passages"),
)


def _team_dl2021(tag: str) -> str:
    if "bcai" in tag:
        return "bcai"
    starts = (team for start, team in TEAM_OF_START if tag.startswith(start))
    return next(starts, re.split("[_-]", tag)[0].rstrip("0123456789"))


TEAMS: dict[str, Callable[[str], str]] = {"dl2021": _team_dl2021, "robust03": str}


def _families_dl2021(
    tags: list[str], teams: tuple[str, ...], runs: tuple[Retrieved, ...]
) -> dict[str, Flags]:
    return {
        "lexical": np.array(["bm25" in tag or "trad" in tag for tag in tags]),
        "eight alike": alike(teams, runs, 8),
        "dense": np.array([tag.startswith(("TUW", "p_tct", "ihsm")) for tag in tags]),
    }


def _families_robust03(
    tags: list[str], teams: tuple[str, ...], runs: tuple[Retrieved, ...]
) -> dict[str, Flags]:
    at_random = np.random.default_rng(4).choice(tags, 4, replace=False)
    return {
        "three alike": alike(teams, runs, 3),
        "eight alike": alike(teams, runs, 8),
        "four at random": np.isin(tags, at_random),
    }


FAMILIES = {"dl2021": _families_dl2021, "robust03": _families_robust03}


def alike(teams: tuple[str, ...], runs: tuple[Retrieved, ...], count: int) -> Flags:
    """The runs of so many teams that share most of their first ten results."""
    firsts = [set(run.pairs[run.ranks < FIRST].tolist()) for run in runs]
    shared = np.array([[len(one & two) / len(one | two) for two in firsts] for one in firsts])
    of_run, names = np.array(teams), np.unique(teams)
    by_team = np.array(
        [[shared[np.ix_(of_run == one, of_run == two)].mean() for two in names] for one in names]
    )
    np.fill_diagonal(by_team, np.inf)
    groups = [np.argsort(-row, kind="stable")[:count] for row in by_team]
    np.fill_diagonal(by_team, 0.0)
    closest = max(groups, key=lambda group: float(by_team[np.ix_(group, group)].mean()))
    return np.isin(of_run, names[closest])
