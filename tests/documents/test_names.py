"""Names in the documents that code can contradict: settings, targets, commands, extras, files, pages."""

import itertools
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from django.urls import resolve

from evaluation.config.environment import read_env_file
from tests.documents.markdown import ROOT, Document, document, documents
from trackside.cli.commands import COMMANDS, parser_of

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
OTHERS = (
    "docker compose ",
    "vllm ",
    "ray ",
    "--tensor-parallel-size",
    "--no-compile",
    "--max-requests",
)  # options of other programs
VARIABLE = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
MODULE = re.compile(r"(?:\.venv/bin/)?python -m (?P<module>(?!sglang)[\w.]+)")  # a program of others
SITE = re.compile(r"(?:\.venv/bin/python )?manage\.py (?P<command>\w+)")
FOLDERS = (
    "assessment/",
    "docker/",
    "docs/",
    "evaluation/",
    "judges/",
    "templates/",
    "tests/",
    ".github/",
    ".ci/",
)
BEFORE_A_PUSH = {"check", "test"}
GATE = {"check", "lint-docs", "test", "test-whole"}


def targets() -> set[str]:
    """The public targets of the Makefile."""
    (line,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return set(line.split())


def environment_names() -> set[str]:
    """Settings, make's variables, and other names in .env.example or our code."""
    example, makefile = ((ROOT / name).read_text() for name in (".env.example", "Makefile"))
    names = set(read_env_file(ROOT / ".env.example")) | set(
        re.findall(r"^([A-Z_]+) \?=", makefile, re.MULTILINE)
    )
    names |= set(re.findall(rf"\b{VARIABLE}\b", example))
    return names | set(re.findall(rf'"({VARIABLE})"', "".join(sources())))


def project() -> dict[str, Any]:
    """Return the package's table in pyproject.toml."""
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return content


def codes() -> Iterator[tuple[Document, str]]:
    """The words of code in all documents."""
    yield from ((shown, code) for shown in documents() for code in shown.code())


def commands() -> Iterator[tuple[Document, str]]:
    """Return the commands of all documents."""
    yield from ((shown, command) for shown in documents() for command in shown.commands())


def module_options(module: str) -> set[str]:
    """The long options in the source of a module, or of a package's __main__."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    return set(
        OPTION.findall((path.with_name("__main__.py") if path.name == "__init__.py" else path).read_text())
    )


def sources() -> Iterator[str]:
    """Our own Python."""
    for app in ("trackside", "evaluation", "assessment", "judges"):
        yield from (path.read_text() for path in (ROOT / app).rglob("*.py"))


def options_of(parser: ArgumentParser) -> set[str]:
    """The long options of a command."""
    return {word for action in parser._actions for word in action.option_strings if word.startswith("--")}


def site_parser(command: str) -> ArgumentParser:
    """The parser of a command of manage.py."""
    return load_command_class(get_commands()[command], command).create_parser("manage.py", command)


@pytest.fixture(scope="module")
def our_options() -> set[str]:
    """The options of every command of ours, on files and on the site, and of our tools."""
    ours = {name for name, app in get_commands().items() if app == "evaluation.config"}
    found = set().union(*(options_of(site_parser(name)) for name in ours))
    found |= {option for tool in (ROOT / "tools").glob("*.py") for option in OPTION.findall(tool.read_text())}
    return found.union(*(options_of(parser_of(name)) for name in COMMANDS))


def test_settings_exist() -> None:
    names = environment_names()
    setting = re.compile(rf"({'|'.join(sorted(names))}|{VARIABLE})(?:=.*)?")
    for shown, code in codes():
        found = setting.fullmatch(code)
        if found and not found[1].startswith(("JUDGE_KEY_", "HTTPS_PROXY", "NO_PROXY")):
            assert found[1] in names, f"{shown}: {code}"


def test_make_targets_exist() -> None:
    for shown, command in commands():
        if found := re.match(r"make ([a-z-]+)", command):
            assert found[1] in targets(), f"{shown}: {command}"


def test_commands_of_the_site_exist_with_their_options() -> None:
    for shown, command in commands():
        if found := SITE.match(command):
            assert found["command"] in get_commands(), f"{shown}: {command}"
            assert set(OPTION.findall(command)) <= options_of(site_parser(found["command"])), (
                f"{shown}: {command}"
            )


def test_commands_on_files_exist_with_their_options() -> None:
    for shown, command in commands():
        if found := re.match(r"trackside ([a-z][a-z-]*)", command):
            assert found[1] in COMMANDS, f"{shown}: {command}"
            assert set(OPTION.findall(command)) <= options_of(parser_of(found[1])), f"{shown}: {command}"


def test_modules_to_run_exist_with_their_options() -> None:
    for shown, command in commands():
        if found := MODULE.match(command):
            spec = find_spec(found["module"])
            assert spec is not None, f"{shown}: {command}"
            assert set(OPTION.findall(command)) <= module_options(found["module"]), f"{shown}: {command}"


def test_options_named_alone_exist(our_options: set[str]) -> None:
    for shown in documents():
        modules = [found["module"] for command in shown.commands() if (found := MODULE.match(command))]
        known = our_options.union(*map(module_options, modules))
        for code in shown.code():
            if not code.startswith(OTHERS):
                assert set(OPTION.findall(code)) <= known, f"{shown}: {code}"


def test_extras_exist() -> None:
    extras = set(project()["optional-dependencies"])
    for shown in documents():
        assert set(re.findall(r"trackside\[(\w+)\]", shown.text)) <= extras, str(shown)
    documented = re.search(r"The extras of the package are ([^.]+)\.", document("CONTRIBUTING.md").text)
    assert documented
    assert set(re.findall(r"`(\w+)`", documented[1])) == extras


def test_files_named_exist() -> None:
    for shown, code in codes():
        if code.startswith(FOLDERS) and " " not in code:
            assert (ROOT / code).exists(), f"{shown}: {code}"


def test_pages_named_exist() -> None:
    for shown, code in codes():
        if code.startswith(("/account/", "/api/v1/")):
            assert resolve(code), f"{shown}: {code}"


def test_names_are_found() -> None:
    """Without this, a change of a pattern could leave nothing to check."""
    words, typed = {code for _, code in codes()}, {command for _, command in commands()}
    assert {"DATABASE_URL", "TRACKSIDE_TOKEN", "/account/tokens/", "docker/nginx.conf", "--pdf"} <= words
    assert {"make bench FULL=yes", "manage.py doctor"} <= words
    assert sum(bool(SITE.match(command)) for command in typed) > 8
    assert sum(command.startswith("trackside ") for command in typed) > 6


def test_contributing_names_every_target_and_variable() -> None:
    shown = document("CONTRIBUTING.md")
    rows = [cells[0] for cells in shown.rows("command")]
    assert {found[1] for row in rows if (found := re.fullmatch(r"`make ([a-z-]+)`", row))} == targets() - {
        "browser"
    }
    variables = re.findall(r"^([A-Z_]+) \?= *(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    documented = {cells[0].strip("`"): cells[1].strip("`") for cells in shown.rows("variable")}
    assert documented == {"BROWSER": "yes", **dict(variables)}


def test_gate_is_the_same_everywhere() -> None:
    """.ci/run, the workflow and pre-commit call the same targets; the workflow also builds the package."""
    script = re.findall(r"^make (\S+)$", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["gate"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert set(script) == GATE
    assert set(workflow["strategy"]["matrix"]["target"]) == {*GATE, "dist"}
    assert workflow["steps"][-1]["run"] == "make ${{ matrix.target }}"
    assert {hook["entry"] for hook in hooks} == {f"make {name}" for name in BEFORE_A_PUSH}
    assert targets() >= {*GATE, "dist"}


def test_every_test_belongs_to_one_target() -> None:
    """Whatever its marks, a test is run by one target; CI's targets leave out the long ones alone."""
    makefile = (ROOT / "Makefile").read_text()
    chosen = dict(re.findall(r"^(test[a-z-]*):.*\n\t.*pytest .*-m \"?([a-z ]+)", makefile, re.MULTILINE))
    for whole, long in itertools.product((False, True), repeat=2):
        marks = {"whole": whole, "long": long}
        running = {name for name, expression in chosen.items() if eval(expression, {}, marks)}
        assert running == {"test-long" if long else "test-whole" if whole else "test"}, marks
    called = re.findall(r"^\t@\$\(MAKE\) (test[a-z-]*)$", makefile, re.MULTILINE)
    assert set(called) == set(chosen)


def test_citation_is_of_this_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (project()["version"], project()["license"])
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
