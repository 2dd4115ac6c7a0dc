"""`trackside judge` at a loopback endpoint: what it writes, what it asks again, and where it stops."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.judges.endpoint import Act, Endpoint, Request, running
from tests.trackside.grading.conftest import of_endpoint
from trackside.cli.main import main


def script(request: Request) -> Act:
    """Answer with a score by the topic."""
    text = str(request.parts[0])
    return Act(text="Relevance: 90" if "red" in text else "Relevance: 40")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr("trackside.backends.openai_chat.OpenAIChat.first_wait", 0.01)
    with running(script) as served:
        yield served


def answers(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "judged" / "answers.jsonl").read_text().splitlines()]


def test_judge_writes_qrels_scores_answers_and_provenance(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(*of_endpoint(endpoint.url, "--cuts", "30,60")) == 0
    # 4 requests of 700 + 5 tokens at 1 a million each
    assert capsys.readouterr().out == (
        "4 pairs: 4 graded; gaps: none\ngrades by fixed-cuts: 0 x 0, 2 x 1, 2 x 2\ncost: 0.0028\n"
        "judged: judge.qrels, scores.tsv, answers.jsonl, provenance.json\n"
    )
    assert (setting / "judged/judge.qrels").read_text() == "t1 0 d1 2\nt1 0 d2 2\nt2 0 d2 1\nt2 0 d3 1\n"
    assert (setting / "judged/scores.tsv").read_text().splitlines()[1] == "t1\td1\t90.0"
    assert answers(setting)[0] == {
        "topic": "t1", "docno": "d1", "outcome": "ok", "score": 90.0, "answer": "Relevance: 90",
        "finish_reason": "stop", "input_tokens": 700, "output_tokens": 5, "thought_tokens": 0, "grade": 2,
    }  # fmt: skip
    provenance = json.loads((setting / "judged/provenance.json").read_text())
    assert provenance["outcomes"] == {"ok": 4}
    assert provenance["work"]["request_count"] == 4
    assert provenance["work"]["cost_micros"] == 2820
    assert (provenance["mapping"]["rule"], provenance["mapping"]["thresholds"]) == ("fixed-cuts", [30, 60])


def test_report_and_score_read_what_judge_wrote(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    judge(*of_endpoint(endpoint.url))
    for tag, docnos in (("one", "d1 d2 d3"), ("two", "d3 d2 d1")):
        lines = [
            f"{topic} Q0 {name} 1 {-rank} {tag}\n"
            for topic in ("t1", "t2")
            for rank, name in enumerate(docnos.split())
        ]
        (setting / tag).write_text("".join(lines))
    (setting / "people").write_text("t1 0 d1 2\nt1 0 d2 0\nt2 0 d2 1\nt2 0 d3 0\n")
    assert main(["score", "--qrels", "judged/judge.qrels", "--measure", "AP", "one", "two"]) == 0
    words = [
        "--qrels",
        "tiny=judged/judge.qrels",
        "--raw-scores",
        "tiny=judged/scores.tsv",
        "--resamples",
        "10",
    ]
    assert main(["report", "--runs", "one", "two", "--reference", "people", *words]) == 0
    assert "tiny" in capsys.readouterr().out


def test_second_run_asks_only_for_what_is_new(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint
) -> None:
    judge(*of_endpoint(endpoint.url, "--limit", "3"))
    assert len(endpoint.asked) == 3
    judge(*of_endpoint(endpoint.url))
    assert len(endpoint.asked) == 4
    judge(*of_endpoint(endpoint.url))
    assert len(endpoint.asked) == 4
    (setting / "topics.jsonl").write_text('{"id": "t1", "title": "red"}\n{"id": "t2", "title": "a hill"}\n')
    judge(*of_endpoint(endpoint.url))
    assert len(endpoint.asked) == 6


def test_pairs_with_equal_texts_and_pictures_are_asked_once(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint
) -> None:
    (setting / "pictures/d2.png").write_bytes((setting / "pictures/d1.png").read_bytes())
    judge(*of_endpoint(endpoint.url))
    assert len(endpoint.asked) == 3
    assert [line["score"] for line in answers(setting)] == [90, 90, 40, 40]


def test_gaps_are_counted_by_kind_and_failures_are_asked_again_on_request(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    acts = {"red": Act(text="I cannot help with that."), "barn": Act(status=500)}
    endpoint.plan = lambda request: next(act for word, act in acts.items() if word in str(request.parts[0]))
    (setting / "pool.tsv").write_text("t1 d1\nt2 d2\nt2 d9\n")
    assert judge(*of_endpoint(endpoint.url)) == 0
    assert "3 pairs: 0 graded; gaps: 1 refusal, 1 server_error, 1 item_missing\n" in capsys.readouterr().out
    assert len(endpoint.asked) == 1 + 3  # three tries
    assert (setting / "judged/judge.qrels").read_text() == ""
    endpoint.plan = script
    assert judge(*of_endpoint(endpoint.url, "--retry-failed")) == 0
    assert [line["outcome"] for line in answers(setting)] == ["refusal", "ok", "item_missing"]


def test_budget_bounds_all_runs_together(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    # A request costs 705 and at most 64 of template + 700 of the picture + 64 of output + some 35 of text.
    assert judge(*of_endpoint(endpoint.url, "--budget", "0.0016")) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "2 pairs not asked: the budget of 0.0016 has no room for another request: 0.0014 are spent, and it "
        "may cost 0.0009. Run the command again to continue."
    )
    assert [line["outcome"] for line in answers(setting)] == ["ok", "ok", "not_asked", "not_asked"]
    assert judge(*of_endpoint(endpoint.url, "--budget", "0.0040")) == 0
    assert len(endpoint.asked) == 4


def test_dry_run_asks_nothing_and_names_the_highest_cost(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(*of_endpoint(endpoint.url, "--dry-run")) == 0
    out = capsys.readouterr().out
    # Bytes of texts: 20 + 18, 25 + 18. Tokens: a quarter of each, 700 and 64; the bound has 64 more.
    assert out.startswith(
        "4 pairs, text-to-image; no gaps\n4 requests to send, 0 answered before; about 3,094 "
    )
    assert "at most 0.0035, and 0.00 spent before\n" in out  # 2 x 866 + 2 x 871 micros
    assert endpoint.asked == []
    assert not (setting / "judged").exists()


def test_endpoint_that_rejects_the_key_stops_the_run(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.plan = lambda _: Act(status=401, body=b"\x1b[2J no")  # a terminal must not obey it
    assert judge(*of_endpoint(endpoint.url)) == 1
    assert "4 pairs not asked: The endpoint refuses the requests: check key, model and" in (
        out := capsys.readouterr().out
    )
    assert "\x1b" not in out
    endpoint.plan = script
    assert judge(*of_endpoint(endpoint.url)) == 0


def test_rule_by_probabilities_tells_that_the_answers_have_none(
    judge: Callable[..., int], endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(*of_endpoint(endpoint.url, "--rule", "expected-grade")) == 2
    assert "The judge gave no probabilities" in capsys.readouterr().err


def test_light_picture_without_a_background_is_shown_on_mid_grey(
    judge: Callable[..., int], setting: Path, endpoint: Endpoint
) -> None:
    """As on a site; on white, a white logo would be a white square."""
    logo = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    logo.paste((255, 255, 255, 255), (20, 10, 40, 30))
    logo.save(setting / "pictures/d1.png")
    for size in ("small", "original"):
        judge(*of_endpoint(endpoint.url, "--limit", "1", "--image-size", size))
        (picture,) = (part for part in endpoint.asked[-1].parts if isinstance(part, bytes))
        shown = Image.open(io.BytesIO(picture)).convert("L")
        corner, middle = shown.getpixel((2, 2)), shown.getpixel((shown.width // 2, shown.height // 2))
        assert [corner, middle] == pytest.approx([128, 255], abs=2)


def test_runs_are_pooled_to_a_depth(setting: Path, endpoint: Endpoint) -> None:
    (setting / "run").write_text("t1 Q0 d1 1 2 r\nt1 Q0 d2 2 1 r\nt2 Q0 d3 1 1 r\n")
    words = ["judge", "--topics", "topics.jsonl", "--documents", "pictures", "--out", "judged"]
    assert main([*words, "--runs", "run", "--depth", "1", *of_endpoint(endpoint.url)]) == 0
    assert [(line["topic"], line["docno"]) for line in answers(setting)] == [("t1", "d1"), ("t2", "d3")]


def test_score_endpoint_is_mapped_by_quantiles(setting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four scores .1, .2, .3, .4: the median is .25 and the upper quartile .325, so 0, 0, 1, 2."""
    (setting / "texts.jsonl").write_text("".join(f'{{"id": "d{n}", "text": "{n}"}}\n' for n in (1, 2, 3, 4)))
    (setting / "pool.tsv").write_text("".join(f"t1 d{n}\n" for n in (1, 2, 3, 4)))

    def plan(request: Request) -> Act:
        score = int(request.body["text_2"][-1]) / 10
        return Act(body=json.dumps({"data": [{"index": 0, "score": score}]}).encode())

    words = ["judge", "--topics", "topics.jsonl", "--documents", "texts.jsonl", "--pairs", "pool.tsv"]
    with running(plan) as served:
        of_scores = ["--score-endpoint", served.url, "--model", "m", "--revision", "1", "--out", "judged"]
        assert main([*words, *of_scores]) == 0
        assert served.asked[0].body == {"model": "m", "text_1": "Title: red", "text_2": "Text: 1"}
    assert "grades by paper-2024: 2 x 0, 1 x 1, 1 x 2\n" in capsys.readouterr().out
    assert (setting / "judged/judge.qrels").read_text() == "t1 0 d1 0\nt1 0 d2 0\nt1 0 d3 1\nt1 0 d4 2\n"
