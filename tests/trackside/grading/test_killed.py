"""A killed `trackside judge` continues from its journal: the same output, and no answer asked for twice."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.judges.endpoint import Act, Endpoint, Request, running, score_of
from tests.trackside.grading.conftest import of_endpoint
from trackside.cli.main import main

TOPICS, DOCUMENTS = 4, 12
FILES = ["--topics", "many.jsonl", "--documents", "texts.jsonl", "--pairs", "many.tsv"]
PROMPT = "{topic.fields}\n{document.fields}\nRelevance: <score>"


def write_texts(folder: Path) -> None:
    for name, what, count in (("many.jsonl", "t", TOPICS), ("texts.jsonl", "d", DOCUMENTS)):
        lines = [json.dumps({"id": f"{what}{number}", "text": f"{what} {number}"}) for number in range(count)]
        (folder / name).write_text("\n".join(lines))
    pairs = [f"t{topic}\td{docno}\n" for topic in range(TOPICS) for docno in range(DOCUMENTS)]
    (folder / "many.tsv").write_text("".join(pairs))
    (folder / "prompt.txt").write_text(PROMPT)


def words(endpoint: Endpoint, out: str) -> list[str]:
    return ["judge", *FILES, *of_endpoint(endpoint.url), "--out", out]


def outputs(folder: Path) -> list[str]:
    provenance = json.loads((folder / "provenance.json").read_text())
    texts = [(folder / name).read_text() for name in ("judge.qrels", "scores.tsv", "answers.jsonl")]
    return [
        *texts,
        json.dumps({name: provenance[name] for name in provenance if name not in ("work", "judge")}),
    ]


def test_killed_run_ends_like_an_undisturbed_one(setting: Path) -> None:
    write_texts(setting)

    def slowly(request: Request) -> Act:
        return Act(delay=0.02 * (request.number % 9), text=f"Relevance: {score_of(request.shown)}")

    with running(slowly) as endpoint:
        command = [sys.executable, "-m", "trackside.cli.main", *words(endpoint, "killed")]
        environment = {"JUDGE_REQUESTS_IN_FLIGHT": "4"}
        journal, ended = setting / "killed/journal.jsonl", 0
        for least in (8, 20):  # answers, until it is killed
            process = subprocess.Popen(command, env={**os.environ, **environment})
            while ended < least and process.poll() is None:
                time.sleep(0.01)
                ended = journal.read_text().count('"key"') if journal.exists() else 0
            process.kill()
            process.wait()
        with journal.open("ab") as file:
            file.write(b'{"key": "torn')
        keys = {
            line["key"] for line in map(json.loads, journal.read_text().splitlines()[:-1]) if "key" in line
        }
        asked_before = len(endpoint.asked)
        assert main(words(endpoint, "killed")) == 0
        asked = Counter(request.id for request in endpoint.asked)
        again = {request.id for request in endpoint.asked[asked_before:]}
        assert not {f"ts-{key[:32]}" for key in keys} & again
        assert len(asked) == TOPICS * DOCUMENTS
        assert max(asked.values()) <= 3  # a request under way at a kill is sent again
    with running(slowly) as endpoint:
        assert main(words(endpoint, "whole")) == 0
    # The endpoint's address is part of the judge's identity, and so of the keys, but not of the grades.
    killed, whole = outputs(setting / "killed"), outputs(setting / "whole")
    assert killed[:3] == whole[:3]


def test_requests_without_an_answer_cost_their_bound(setting: Path) -> None:
    write_texts(setting)
    with running() as endpoint:
        (setting / "killed").mkdir()
        (setting / "killed/journal.jsonl").write_text('{"sent": "0f", "bound": 5000}\n')
        main(words(endpoint, "killed"))
    work = json.loads((setting / "killed/provenance.json").read_text())["work"]
    assert work["cost_micros"] == 5000 + TOPICS * DOCUMENTS * 705
