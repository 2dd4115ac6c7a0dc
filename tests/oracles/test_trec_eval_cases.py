"""Tricky qrels and runs, with the output and exit status of trec_eval 10.0."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.shared import shared_folder
from trackside.cli.main import main

FLAGS = {"-J": ["--judged-only"], "-c": [], "-M": ["--max-results"], "-l": ["--level"]}


def variants(folder: Path) -> Iterator[tuple[list[str], Path, dict[str, Any]]]:
    index = json.loads((folder / "index.json").read_text())
    measures = [f"--measure={name}" for name in index["args"] if name not in ("-q", "-m")]
    for case in index["cases"]:
        for variant in case["variants"]:
            flags = [word for flag in variant["flags"] for word in FLAGS.get(flag, [flag])]
            complete = [] if "-c" in variant["flags"] else ["--no-complete"]
            files = [f"--qrels={folder / case['name'] / 'qrels'}", str(folder / case["name"] / "run")]
            command = ["score", "--per-topic", "--format=trec_eval", *measures, *flags, *complete, *files]
            yield command, folder / case["name"] / variant["expected"], variant


def test_cases_give_what_trec_eval_prints(capsys: pytest.CaptureFixture[str]) -> None:
    different: list[tuple[object, ...]] = []
    count = 0
    for command, expected, variant in variants(shared_folder("cases", "trec_eval")):
        count += 1
        status = main(command)
        output = capsys.readouterr()
        has_failed = variant["exit_code"] != 0
        if (status != 0) != has_failed or (not has_failed and output.out != expected.read_text()):
            different.append((expected.parent.name, variant["flags"], status, output.err))
        elif has_failed and not output.err.startswith("trackside score: "):
            different.append((expected.parent.name, variant["flags"], "no message", output.err))
    assert count > 0
    assert not different
