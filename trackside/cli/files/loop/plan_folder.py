"""A plan on disk: plan.json, runs.tsv, judges-N.tsv, batch-N.tsv, chances-N.tsv, batch-N.json, looks.json.

Nothing that was written is written again: what happened can be replayed from the files and the grades.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.loop.drawing import Batch
from trackside.loop.plan import Grades, Plan
from trackside.loop.steps import State
from trackside.pooling.universe import Heads, Pair, Universe

Scores = Mapping[str, Mapping[Pair, float]]
"""Judge to the score of each pair of topic and docno; a pair without one is absent."""


class PlanFolder:
    """The files of one plan. Raises InputError where a file was changed after it was written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plan = Plan.of_json(_json(path / "plan.json", "Make a plan with: trackside plan new FOLDER …"))

    @classmethod
    def create(cls, path: Path, plan: Plan, heads: Heads, scores: Scores) -> PlanFolder:
        """Write a plan with its frozen runs and judges. Raises InputError if the folder has a plan."""
        if (path / "plan.json").exists():
            raise InputError(
                f"{path} has a plan already, and its seed is drawn once. Give a new plan another folder.",
                code="plan-exists",
            )
        path.mkdir(parents=True, exist_ok=True)
        runs = "".join(
            f"{tag}\t{topic}\t{docno}\n"
            for tag, ranking in heads.items()
            for topic, docnos in ranking.items()
            for docno in docnos[: plan.depth]
        )
        (path / "runs.tsv").write_text(runs, encoding="utf-8")
        facts = plan.to_json() | {"sha256 of runs.tsv": _hash(path / "runs.tsv")}
        (path / "plan.json").write_text(json.dumps(facts, indent=1) + "\n")
        folder = cls(path)
        folder.add_judges(scores, is_unseen=False)
        return folder

    @cached_property
    def universe(self) -> Universe:
        """The frozen runs' pairs."""
        runs = self.path / "runs.tsv"
        if _hash(runs) != _json(self.path / "plan.json")["sha256 of runs.tsv"]:
            raise _changed(runs)
        heads: dict[str, dict[str, list[str]]] = {}
        for tag, topic, docno in _rows(runs):
            heads.setdefault(tag, {}).setdefault(topic, []).append(docno)
        return Universe.of(heads, self.plan.depth)

    def add_judges(self, scores: Scores, *, is_unseen: bool) -> int:
        """Store a version of the judges; return its number. ``is_unseen`` says that they saw no grade of this
        plan, so that earlier batches may use them.
        """
        version = len(list(self.path.glob("judges-*.tsv")))
        lines = ["\t".join(["topic", "docno", "unseen" if is_unseen else "later", *scores])]
        for topic, docno in self.universe.names:
            cells = [scores[name].get((topic, docno)) for name in scores]
            lines.append(
                "\t".join([topic, docno, "", *("" if cell is None else repr(cell) for cell in cells)])
            )
        (self.path / f"judges-{version}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return version

    @cached_property
    def judges(self) -> list[Floats]:
        """The scores of each version [judge, pair], NaN where a judge gave none."""
        versions = []
        for number in range(len(list(self.path.glob("judges-*.tsv")))):
            (_, _, _, *names), *rows = _rows(self.path / f"judges-{number}.tsv")
            table = [[float(cell) if cell else np.nan for cell in cells] for _, _, _, *cells in rows]
            versions.append(np.array(table).reshape(len(rows), len(names)).T)
        return versions

    def _usable_version(self, version: int) -> int:
        """The version that a batch drawn with ``version`` may use: the newest unseen one, or its own."""
        for number in range(len(self.judges) - 1, version, -1):
            if next(_rows(self.path / f"judges-{number}.tsv"))[2] == "unseen":
                return number
        return version

    def state(self, qrels: Sequence[Qrels], withdrawn: AbstractSet[str] = frozenset()) -> State:
        """The plan with these grades. Raises InputError if the plan or a batch was changed since its draw."""
        numbers = range(1, self.batch_count + 1)
        records = [_json(self.path / f"batch-{number}.json") for number in numbers]
        batches = [self._batch(number, facts) for number, facts in zip(numbers, records, strict=True)]
        out = frozenset(withdrawn).union(*(facts["withdrawn"] for facts in records))
        grades = Grades.of(self.universe, qrels, self.plan)
        return State(self.plan, self.universe, self.judges, batches, grades, out)

    @property
    def batch_count(self) -> int:
        """Number of drawn batches."""
        return len(list(self.path.glob("batch-*.json")))

    def _batch(self, number: int, facts: Mapping[str, Any]) -> Batch:
        for name, digest in facts["sha256"].items():
            if _hash(self.path / name) != digest:
                raise _changed(self.path / name)
        index = self.universe.index
        chance = np.zeros(self.universe.pair_count)
        for topic, docno, p in _rows(self.path / f"chances-{number}.tsv"):
            chance[index[topic, docno]] = float(p)
        order = [index[topic, docno] for topic, docno, _ in _rows(self.path / f"batch-{number}.tsv")]
        return Batch(np.array(order), chance, self._usable_version(facts["judges"]))

    def add_batch(self, batch: Batch, withdrawn: Iterable[str]) -> Path:
        """Store a batch; return the file of its pairs: topic, docno and chance, in the order of grading."""
        number = self.batch_count + 1
        pairs, chances = self.path / f"batch-{number}.tsv", self.path / f"chances-{number}.tsv"
        for path, rows in ((pairs, batch.order), (chances, np.flatnonzero(batch.chance > 0))):
            names = ("\t".join((*self.universe.names[row], repr(float(batch.chance[row])))) for row in rows)
            path.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        facts = {
            "judges": batch.version,
            "withdrawn": sorted(withdrawn),
            "sha256": {path.name: _hash(path) for path in (self.path / "plan.json", pairs, chances)},
        }
        (self.path / f"batch-{number}.json").write_text(json.dumps(facts, indent=1) + "\n")
        return pairs

    def count_look(self, state: State) -> int:
        """Count a look at these grades, unless it was counted; return how many there were."""
        path = self.path / "looks.json"
        looks: list[dict[str, Any]] = _json(path) if path.exists() else []
        digest = sha256(state.grades.values.tobytes() + state.grades.cannot.tobytes()).hexdigest()
        if all(look["grades"] != digest for look in looks):
            looks.append({"grades": digest, "batches": len(state.batches)})
            path.write_text(json.dumps(looks, indent=1) + "\n")
        return len(looks)


def _rows(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n").split("\t")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Restore the plan's folder.") from error


def _json(path: Path, remedy: str = "Restore the plan's folder.") -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not JSON"
        raise InputError(f"{path}: {reason}. {remedy}", code="plan-unreadable") from error


def _hash(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Restore the plan's folder.") from error


def _changed(path: Path) -> InputError:
    return InputError(
        f"{path} was changed after it was written. Restore it; for other settings make a new plan, and give "
        "it the grades so far with plan next --qrels.",
        code="plan-changed",
    )
