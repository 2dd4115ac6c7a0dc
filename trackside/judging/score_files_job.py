"""Read a file of scores inside a sandbox."""

import json
from itertools import islice

from trackside.judging.score_files import read_scores
from trackside.sandbox.messages import SandboxJob

_ROWS = 10_000  # of a message


def run(job: SandboxJob) -> None:
    """Report rows of topic, docno and score. Values: the file's name, whose ending decides its format."""
    scores = read_scores(job.file, job.values["name"])
    rows = ((topic, docno, score) for (topic, docno), score in scores.items())
    while some := list(islice(rows, _ROWS)):
        job.report("rows", content=json.dumps(some).encode())
