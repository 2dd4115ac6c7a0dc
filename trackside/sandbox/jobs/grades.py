"""Job of a sandbox: read the qrels of an import."""

import json
from itertools import islice

from trackside.imports.faults import Faults
from trackside.imports.grades import read_grades
from trackside.sandbox.messages import SandboxJob

_ROWS = 10_000  # of a message


def prepare() -> None:
    """Start polars' threads, whose stacks count as address space."""
    list(read_grades(b"t 0 d 1\n", Faults(), topics={"t"}, numbers={1: 1}))


def run(job: SandboxJob) -> None:
    """Report topic, docno and grade of the lines, in batches, and the faults.

    Values: numbers, pairs of a grade and its number in the file. Content: the task's topics as JSON.
    """
    faults = Faults()
    topics, numbers = set(json.loads(job.content)), dict(job.values["numbers"])
    pairs = read_grades(job.file, faults, topics=topics, numbers=numbers)
    while rows := list(islice(pairs, _ROWS)):
        job.report("rows", content=json.dumps(rows).encode())
    job.report("faults", content=json.dumps(faults.to_values()).encode())
