import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from trackside.cli.commands import COMMANDS, parser_of
from trackside.cli.main import main, quiet_on_closed_pipe
from trackside.code_version import code_version


def loaded_modules(statement: str) -> set[str]:
    """The modules that a new interpreter has loaded after a statement."""
    code = f"import sys\n{statement}\nprint(*sorted(name.split('.')[0] for name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


def test_main_without_arguments_shows_the_commands_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().out.startswith("Usage: trackside COMMAND")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    overview = capsys.readouterr().out
    assert [name for name in COMMANDS if f"  {name} " not in overview] == []


def test_version_is_that_of_stored_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"trackside {code_version()}\n"


def test_short_commands_look_for_no_garbage(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("t1 Q0 d1 1 2 tag\n")
    (tmp_path / "qrels").write_text("t1 0 d1 1\n")
    words = ["trackside", "score", "--qrels", str(tmp_path / "qrels"), str(tmp_path / "run")]
    code = (
        "import gc, sys; from trackside.cli.main import main; looks = []\n"
        f"gc.callbacks.append(lambda *_: looks.append(1)); sys.argv = {words!r}; main()\n"
        "print(len(looks), gc.get_freeze_count() > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 True"


def test_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scroe"]) == 2
    assert "no command 'scroe'" in capsys.readouterr().err


BOTH = ["--topics", "d.jsonl", "--documents", "d.jsonl"]


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("PIL", ["audit", "--documents", "d.jsonl"]),
        ("PIL", ["baseline", *BOTH, "--bm25"]),
        ("bm25s", ["baseline", *BOTH, "--bm25"]),
        ("PIL", ["judge", *BOTH, "--pairs", "d.jsonl", "--sentences", "x", "--out", "o"]),
    ],
)
def test_package_that_a_plain_installation_lacks_is_named_with_its_extra(
    package: str, words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "1", "title": "lock"}\n')
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from trackside.cli.main import main; sys.exit(main({words!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert f'{package} is not installed. Install it with pip install "trackside[baselines]".' in done.stderr


def test_output_fits_any_encoding(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("t1 Q0 é 1 nan tag\n", encoding="utf-8")
    (tmp_path / "topics").write_text("t1\n")
    command = [sys.executable, "-m", "trackside.cli.main", "check", str(tmp_path / "run")]
    done = subprocess.run(
        [*command, "--topics", str(tmp_path / "topics")],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert r"1  t1 Q0 \xe9 1 \xbbnan\xab" in done.stdout


@pytest.mark.parametrize("words", [["-", "--topics", "-"], ["-", "--topics=-"]])
def test_standard_input_is_read_once(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert "standard input (-) is named twice" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    text = capsys.readouterr().out
    assert "Example:\n  " in text
    assert f"trackside {name}" in text
    purpose = COMMANDS[name][1]
    assert f"{purpose[0].upper()}{purpose[1:]}." in " ".join(text.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_has_a_help_text(name: str) -> None:
    assert [action.dest for action in parser_of(name)._actions if not action.help] == []


def test_overview_loads_no_heavy_library() -> None:
    assert not loaded_modules("import trackside.cli.main") & {"numpy", "polars", "scipy", "django", "celery"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_no_heavy_library(name: str) -> None:
    modules = loaded_modules(f"from trackside.cli.commands import parser_of; parser_of({name!r})")
    assert not modules & {"numpy", "polars", "scipy", "django"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)])
def test_printing_help_loads_no_heavy_library(words: list[str]) -> None:
    code = (
        "import sys; from trackside.cli.main import main\n"
        f"try: main({words!r})\n"
        "except SystemExit: pass\n"
        "print(*{'numpy', 'polars', 'scipy', 'django'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_version_of_the_package_loads_no_heavy_library() -> None:
    assert not loaded_modules("import trackside; trackside.__version__") & {"numpy", "polars", "scipy"}


def test_commands_start_without_the_names_that_only_unix_has(tmp_path: Path) -> None:
    """Windows has neither signal.SIGPIPE nor select.poll."""
    command = _command(tmp_path)[3:]
    code = (
        "import select, signal, sys; del signal.SIGPIPE, select.poll\n"
        f"sys.argv = {['trackside', *command]!r}; from trackside.cli.main import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "nDCG@10" in done.stdout
    assert without_reader(sys.executable, "-c", code) == (141, "")


def test_core_loads_neither_django_nor_celery_nor_ranx() -> None:
    modules = loaded_modules("import trackside.files, trackside.measuring, trackside.checks")
    assert not modules & {"django", "celery", "ranx", "numba", "torch", "pandas"}


def _command(folder: Path) -> list[str]:
    (folder / "run").write_text("t1 Q0 d1 1 2 tag\n")
    (folder / "qrels").write_text("t1 0 d1 1\n")
    words = ["score", "--qrels", str(folder / "qrels"), str(folder / "run")]
    return [sys.executable, "-m", "trackside.cli.main", *words]


def test_full_disk_is_named(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(_command(tmp_path), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "trackside score: the output: No space left on device\n")


def test_closed_streams_are_named(tmp_path: Path) -> None:
    command = shlex.join(_command(tmp_path))
    for words, fault in (
        (f"{command} >&-", "standard output is closed"),
        (f"{command} - <&-", "standard input: it is closed"),
    ):
        done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert fault in done.stderr


def without_reader(*command: str) -> tuple[int, str]:
    """The exit status and the messages of a command whose output nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    # argparse ignores a failed write, which an unbuffered stream reports at once.
    environment = os.environ | {"PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, env=environment, text=True, check=False
    )
    os.close(writer)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", ["", "--help", "--version", "score --help", "completion bash"])
def test_closed_pipe_ends_a_command_without_a_message(words: str) -> None:
    command = [sys.executable, "-m", "trackside.cli.main", *words.split()]
    assert without_reader(*command) == (141, "")  # bash: 128 + SIGPIPE


def test_closed_pipe_ends_a_command_on_files_without_a_message(tmp_path: Path) -> None:
    assert without_reader(*_command(tmp_path)) == (141, "")


@pytest.mark.parametrize("words", ["help", "diffsettings", "report --help", "shell -c print(10**4000)"])
def test_closed_pipe_ends_a_command_of_the_site_without_a_message(words: str) -> None:
    assert without_reader(sys.executable, "manage.py", *words.split(maxsplit=2)) == (141, "")


def test_broken_socket_is_not_taken_for_a_closed_pipe() -> None:
    with pytest.raises(BrokenPipeError), quiet_on_closed_pipe():
        raise BrokenPipeError
