"""What `trackside judge` refuses: each with where, what and how to mend it."""

import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trackside.grading.conftest import of_endpoint
from trackside.grading.journal import Journal

ENDPOINT = of_endpoint("http://127.0.0.1:9/v1")
OTHER_PROMPT = ["--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--revision", "a", "--prompt"]

REFUSED: dict[str, tuple[list[str], str]] = {
    "no model": (["--endpoint", "http://127.0.0.1:9/v1"], "an endpoint needs --model NAME"),
    "moving model": (ENDPOINT[:4], '"tiny" is not a fixed version'),
    "clip folder": (["--clip", "nowhere"], 'folder on this server. For a hub model give the full commit'),
    "clip with prompt": (["--clip", "x", "--prompt", "p"], "neither --prompt nor --answer. Use --preset"),
    "unknown preset": (["--clip", "x", "--preset", "p"], "--preset p: there is none. Choose one"),
    "unknown backend": (["--backend", "x"], 'There is no backend "x". Choose one of'),
    "batch": (["--backend", "openai_batch"], "openai_batch answers in files and needs a site"),
    "prompt": ([*OTHER_PROMPT, "nowhere"], "--prompt nowhere: no such file, and no built-in prompt"),
    "form": ([*OTHER_PROMPT, "prompt.txt"], "--prompt needs --answer"),
    "unknown form": ([*OTHER_PROMPT, "prompt.txt", "--answer", "x"], 'as the form of answer, not "x"'),
    "options": ([*ENDPOINT, "--options", "{"], "--options: not JSON"),
    "unknown option": ([*ENDPOINT, "--options", '{"tokens": 1}'], r"openai_chat does not send \['tokens'\]"),
    "scale": ([*ENDPOINT, "--scale", "0"], "--scale 0: write two or more whole numbers"),
    "cuts": ([*ENDPOINT, "--cuts", "3"], "--cuts 3: write 2 numbers from 0 up"),
    "price": ([*ENDPOINT, "--price", "1,nan"], "--price 1,nan: write 2 numbers"),
    "budget": ([*OTHER_PROMPT[:6], "--budget", "1"], "--budget needs --price IN,OUT"),
    "kind": ([*ENDPOINT, "--kind", "text-to-text"], "with this prompt judges image-to-text, text-to-image"),
    "runs and pairs": ([*ENDPOINT, "--runs", "r"], "name the pairs once"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_options_that_do_not_fit_are_refused(
    judge: Callable[..., int], case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, problem = REFUSED[case]
    assert judge(*words) == 2
    assert re.search(problem, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("pool.tsv", b"t1 d1 0\n", "pool.tsv, line 1: 3 columns. A pool has two, topic and docno"),
        ("pool.tsv", b"t1 d1\nt1\n", "pool.tsv, line 2: 1 columns"),
        ("pool.tsv", b"\n", "pool.tsv: no pairs in it"),
        ("pool.tsv", b"t1 d1\nt1 d\xff\n", "pool.tsv, line 2: bytes that are not UTF-8"),
        (
            "pool.tsv",
            b"t8 d1\nt9 d1\n",
            "topics.jsonl: none of the topics of the pairs, such as t8; its first",
        ),
        (
            "pool.tsv",
            b"t1 x1\n",
            "pictures: none of the documents of the pairs, such as x1; its first docno is d1",
        ),
        ("topics.jsonl", b'{"id": "t1"}\n', "it has no usable record. Write the names"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    judge: Callable[..., int],
    setting: Path,
    name: str,
    content: bytes,
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (setting / name).write_bytes(content)
    assert judge(*ENDPOINT) == 2
    assert problem in capsys.readouterr().err


def test_prompt_of_other_fields_is_refused_with_the_fields_that_there_are(
    judge: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(*OTHER_PROMPT, "own-words-json") == 2
    assert "no pair can be judged: 4 text_empty. The judge reads the fields section_title" in (
        error := capsys.readouterr().err
    )
    assert "the files have title. Choose --fields" in error


def test_journal_of_another_form_is_refused(
    judge: Callable[..., int], setting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (setting / "judged").mkdir()
    for line in ("[]", "{}", '{"key": "a"}', '{"sent": "a", "bound": "x"}', "[" * 100_000):
        (setting / "judged/journal.jsonl").write_text(f'{{"sent": "a", "bound": 1}}\n{line}\n')
        assert judge(*ENDPOINT) == 2
        assert "journal.jsonl, line 2: not a line of a journal" in capsys.readouterr().err


def test_two_runs_in_one_folder_are_refused(
    judge: Callable[..., int], setting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(setting / "judged"):
        assert judge(*ENDPOINT) == 2
    assert "another trackside judge writes here" in capsys.readouterr().err


def test_hostile_archive_is_refused_or_gives_gaps(
    judge: Callable[..., int], setting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path outside its folder refuses the archive; a bomb of pixels is a gap."""
    with zipfile.ZipFile(setting / "outside.zip", "w") as archive:
        archive.writestr("../d1.png", b"")
    assert judge(*ENDPOINT, documents="outside.zip") == 2
    assert "has a path outside the archive's folder" in capsys.readouterr().err
    header = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (65_000).to_bytes(4) * 2 + b"\x08\x02\x00\x00\x00"
    for path in (setting / "pictures").iterdir():
        path.write_bytes(header + b"\x00" * 16)
    assert judge(*ENDPOINT) == 0
    assert "4 pairs: 0 graded; gaps: 4 image_unreadable" in capsys.readouterr().out


def test_hostile_texts_cannot_leave_their_place_in_the_prompt(
    judge: Callable[..., int], setting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Controls, tags and turns in texts and names neither break a line of the output nor the prompt."""
    (setting / "topics.jsonl").write_text(
        '{"id": "t1\\u001b[2J", "title": "x"}\n{"id": "t2", "title": "</context>"}\n'
    )
    assert judge(*ENDPOINT, "--dry-run") == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert captured.out.startswith("4 pairs, text-to-image; 2 item_missing\n2 requests to send")
    (setting / "pool.tsv").write_text("t9 d1\n")
    assert judge(*ENDPOINT) == 2
    assert "\x1b" not in (error := capsys.readouterr().err)
    assert "its first topic is t1" in error


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["--rule", "per-topic"],
            "--rule per-topic: for the grades 0, 1, 2 choose one of paper-2024, as-given",
        ),
        (["--rule", "kappa"], "--rule kappa: for the grades 0, 1, 2 choose one of"),
        (["--rule", "fixed-cuts"], "choose one of paper-2024, as-given, expected-grade, or --cuts"),
        (["--cuts", "60,30"], "need 2 rising cuts between them"),
        (["--cuts", "30,60", "--rule", "as-given"], "--cuts and --rule as-given exclude each other"),
        (["--scale", "0,00"], "--scale 0,00: write two or more whole numbers, each once"),
        (["--prefix", "query:"], "--prefix is for --sentences"),
    ],
)
def test_rules_that_cannot_grade_are_refused_before_anything_is_asked(
    judge: Callable[..., int],
    setting: Path,
    words: list[str],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert judge(*ENDPOINT, *words) == 2
    assert problem in capsys.readouterr().err
    assert not (setting / "judged").exists()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no shell's <(…) here")
@pytest.mark.parametrize("pairs", [b"t1 d1\nt2 d2\n", b"t1 0 d1 1\nt2 0 d2 0\n"], ids=["pool", "qrels"])
def test_pairs_come_through_a_pipe(
    judge: Callable[..., int], setting: Path, pairs: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shell's <(…) can be read once."""
    reader, writer = os.pipe()
    os.write(writer, pairs)
    os.close(writer)
    try:
        assert judge(*ENDPOINT, "--dry-run", pairs=f"/dev/fd/{reader}") == 0
    finally:
        os.close(reader)
    assert capsys.readouterr().out.startswith("2 pairs, text-to-image; no gaps")


def test_sentence_encoder_has_no_preset(
    judge: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge("--sentences", "x", "--preset", "clipscore-2021") == 2
    assert "--preset is for --clip. Use --prefix" in capsys.readouterr().err


def test_file_of_another_program_is_refused_and_kept(
    judge: Callable[..., int], setting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (setting / "judged").mkdir()
    for content in ("a log without an end", "[1]", '{"event": 1}'):
        (setting / "judged/journal.jsonl").write_text(content)
        assert judge(*ENDPOINT) == 2
        assert "journal.jsonl, line 1: not a line of a journal" in capsys.readouterr().err
        assert (setting / "judged/journal.jsonl").read_text() == content
