"""Files of a small track for the commands of the loop: four runs of 25 topics, people's grades, a judge."""

from pathlib import Path

import numpy as np

TOPICS, DOCS, DEPTH = 25, 14, 5


class Track:
    """Writes its files into a folder and knows every grade."""

    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(11)
        self.folder, self.grades = folder, dict[tuple[str, str], int]()
        truth = rng.choice(3, p=(0.6, 0.3, 0.1), size=(TOPICS, DOCS))
        for (topic, doc), grade in np.ndenumerate(truth):
            self.grades[f"t{topic:02d}", f"d{doc:02d}"] = int(grade)
        self.runs = [
            self._run(f"run{run}", truth + (0.5 + 0.4 * run) * rng.normal(size=truth.shape))
            for run in range(4)
        ]
        self.judge = self.write(
            "judge.qrels",
            {pair: min(2, max(0, grade + int(rng.integers(-1, 2)))) for pair, grade in self.grades.items()},
        )
        self.people = self.write("people.qrels", self.grades)
        self.plan = str(folder / "plan")

    def _run(self, tag: str, scores: np.ndarray) -> str:
        lines = [
            f"t{topic:02d} Q0 d{doc:02d} {rank} {scores[topic, doc]:.6f} {tag}\n"
            for topic in range(TOPICS)
            for rank, doc in enumerate(np.argsort(-scores[topic])[: DEPTH + 2], 1)
        ]
        path = self.folder / tag
        path.write_text("".join(lines))
        return str(path)

    def write(self, name: str, grades: dict[tuple[str, str], int]) -> str:
        """Write qrels; return their path."""
        path = self.folder / name
        path.write_text("".join(f"{topic} 0 {docno} {grade}\n" for (topic, docno), grade in grades.items()))
        return str(path)

    def drawn(self, number: int) -> list[tuple[str, str]]:
        """The pairs of a batch, in its order."""
        lines = (Path(self.plan) / f"batch-{number}.tsv").read_text().splitlines()
        return [(topic, docno) for topic, docno, _ in (line.split("\t") for line in lines)]

    def graded(self, *numbers: int, without: int = 0) -> str:
        """Qrels of batches, without the last so many pairs of the last batch."""
        pairs = [pair for number in numbers for pair in self.drawn(number)]
        return self.write("graded.qrels", {pair: self.grades[pair] for pair in pairs[: len(pairs) - without]})

    @property
    def new(self) -> list[str]:
        """The command that makes the plan."""
        settings = ["--measure", "nDCG@5", "--highest", "2", "--size", "40", "--size", "40", "--size", "40"]
        return ["plan", "new", self.plan, *settings, "--judge", f"model={self.judge}", *self.runs]
