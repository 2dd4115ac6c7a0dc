"""`trackside judge` with models in its own process: CLIP, LLaVA, and a judge of another package."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.trackside.grading.conftest import COLOURS
from trackside.backends.registry import BACKENDS
from trackside.plugins import judge as function_judge


def scores(folder: Path) -> dict[tuple[str, str], float]:
    rows = [line.split("\t") for line in (folder / "judged/scores.tsv").read_text().splitlines()[1:]]
    return {(topic, docno): float(score) for topic, docno, score in rows}


@pytest.mark.whole
def test_clip_scores_are_those_of_the_usual_loop(
    judge: Callable[..., int], setting: Path, tiny_clip: Path
) -> None:
    from tests.judges.tiny_clip import plain_cosines

    assert judge("--clip", str(tiny_clip), "--image-size", "original") == 0
    images = [Image.new("RGB", (60, 40), colour) for colour in COLOURS.values()]
    cosines = plain_cosines(tiny_clip, ["A photo depicts red", "A photo depicts the barn"], images)
    expected = {
        ("t1", "d1"): cosines[0, 0], ("t1", "d2"): cosines[0, 1],
        ("t2", "d2"): cosines[1, 1], ("t2", "d3"): cosines[1, 2],
    }  # fmt: skip
    found = scores(setting)
    assert set(found) == set(expected)
    for pair, cosine in expected.items():
        assert found[pair] == pytest.approx(2.5 * max(float(cosine), 0.0), abs=1e-5)
    texts = json.loads((setting / "judged/provenance.json").read_text())["texts"]
    assert (texts["count"], texts["cut_count"]) == (2, 0)


@pytest.mark.whole
def test_clip_continues_where_its_journal_ends(
    judge: Callable[..., int], setting: Path, tiny_clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (setting / "pictures/d3.png").write_bytes(b"no picture")
    assert judge("--clip", str(tiny_clip)) == 0
    assert "4 pairs: 3 graded; gaps: 1 image_unreadable" in capsys.readouterr().out
    before = (setting / "judged/scores.tsv").read_text()
    journal = setting / "judged/journal.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:1]) + '{"key": "to')
    assert judge("--clip", str(tiny_clip)) == 0
    assert (setting / "judged/scores.tsv").read_text() == before
    assert len(journal.read_text().splitlines()) == 3


@pytest.mark.whole
def test_llava_answers_each_pair(judge: Callable[..., int], setting: Path, tiny_llava: Path) -> None:
    words = ["--prompt", "prompt.txt", "--answer", "relevance-1-100", "--options", '{"max_tokens": 16}']
    (setting / "prompt.txt").write_text("{image}\nIs {fields} in it?")
    assert judge("--llava", str(tiny_llava), *words) == 0
    assert set(scores(setting).values()) == {42.0}


@pytest.mark.whole
def test_llava_is_shown_a_place_for_each_picture_of_the_examples_and_the_pair(
    judge: Callable[..., int], setting: Path, tiny_llava: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.judges.tiny_llava import PLACES, SPECIAL
    from trackside.backends.llava import Llava

    (setting / "shots.txt").write_text("{examples}\nNow:\n{fields}\n{image}\nRelevance: <score>")
    (setting / "examples.qrels").write_text("t1 0 d1 90\nt1 0 d3 1\n")
    inputs_of, rows = Llava._inputs, list[tuple[str, int, int]]()

    def recording(self: Llava, requests: Sequence[Any]) -> Any:
        inputs = inputs_of(self, requests)
        for (ask, pictures), ids in zip(requests, inputs["input_ids"].tolist(), strict=True):
            places = ids.count(SPECIAL.index("<image>"))
            rows.append((ask.id, sum(isinstance(part, bytes) for part in ask.parts), places))
            assert len(pictures) == rows[-1][1]
        return inputs

    monkeypatch.setattr(Llava, "_inputs", recording)
    words = ["--prompt", "shots.txt", "--answer", "relevance-1-100", "--options", '{"max_tokens": 16}']
    assert judge("--llava", str(tiny_llava), *words, "--examples", "examples.qrels") == 0

    assert all(places == PLACES * shown for _, shown, places in rows)
    # Pairs of t1 are shown no example of t1; the two of t2 are shown both.
    assert sorted(shown for key, shown, _ in rows if key) == [1, 1, 3, 3]
    assert (setting / "judged/scores.tsv").read_text().count("42") == 2  # of t2


def test_judge_of_another_package_grades_texts_and_pictures(
    judge: Callable[..., int],
    setting: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @function_judge("grade-0-2")
    def red(text: str, image: bytes | None) -> float:
        if image is None or "barn" in text:
            raise ValueError("no barns")
        return 2.0 if np.asarray(Image.open(BytesIO(image)))[0, 0, 0] > 100 else 0.0

    monkeypatch.setitem(globals(), "RED", red)
    monkeypatch.setitem(BACKENDS, "red", f"{__name__}:RED")
    assert judge("--backend", "red", "--prompt", "direct-grade") == 0
    assert capsys.readouterr().out.startswith(
        "4 pairs: 2 graded; gaps: 2 request_refused\ngrades by as-given: 1 x 0, 0 x 1, 1 x 2\n"
    )
    assert (setting / "judged/judge.qrels").read_text() == "t1 0 d1 2\nt1 0 d2 0\n"
