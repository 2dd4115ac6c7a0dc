"""Four pairs of two topics and three pictures as plain files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.judges.conftest import tiny_clip, tiny_llava
from trackside.cli.main import main

__all__ = ["judge", "setting", "tiny_clip", "tiny_llava"]

PROMPT = "Is {fields} in it?\n{image}\nRelevance: <score>"
COLOURS = {"d1": (200, 30, 30), "d2": (30, 200, 30), "d3": (30, 30, 200)}


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "topics.jsonl").write_text(
        '{"id": "t1", "title": "red"}\n{"id": "t2", "title": "the barn"}\n'
    )
    (tmp_path / "pool.tsv").write_text("t1\td1\nt1\td2\nt2\td2\nt2\td3\n")
    (tmp_path / "prompt.txt").write_text(PROMPT)
    (tmp_path / "pictures").mkdir()
    for docno, colour in COLOURS.items():
        Image.new("RGB", (60, 40), colour).save(tmp_path / "pictures" / f"{docno}.png")
    return tmp_path


@pytest.fixture
def judge(setting: Path) -> Callable[..., int]:
    """Run the command on the files; words of the test come last and so count."""

    def run(
        *words: str, topics: str = "topics.jsonl", documents: str = "pictures", pairs: str = "pool.tsv"
    ) -> int:
        files = ["--topics", topics, "--documents", documents, "--pairs", pairs, "--out", "judged"]
        return main(["judge", *files, *words])

    return run


def of_endpoint(url: str, *more: str) -> list[str]:
    """The words that name a judge at an endpoint, with prices."""
    names = ["--endpoint", url, "--model", "tiny", "--revision", "abc", "--image-tokens", "700"]
    return [*names, "--prompt", "prompt.txt", "--answer", "relevance-1-100", "--price", "1,1", *more]
