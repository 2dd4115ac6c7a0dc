"""The flow table of README: every name in it exists, and every action is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from pkgutil import iter_modules, resolve_name

import pytest
from django.conf import settings
from django.urls import resolve

from tests.addresses import Route, routes

ROOT = Path(settings.ROOT)
HEAD = "| step | page | view, task, command or module | actions | core |"
APPS = ("evaluation", "assessment", "judges")
SAMPLES = {  # of values that fit the parameters of addresses, letters where a word is wanted
    **dict.fromkeys(("track", "task", "token", "form", "kind", "rows", "link"), "word"),
    **dict.fromkeys(
        ("run", "job", "assignment", "place", "qrels", "number", "task_import", "team", "member"), 1
    ),
}


@dataclass(frozen=True)
class Step:
    """One row: ``page`` is a URL name and its address, or nothing."""

    name: str
    page: list[str]
    answered_by: str
    actions: list[str]
    core: list[str]


def steps() -> list[Step]:
    lines = (ROOT / "README.md").read_text().partition(f"{HEAD}\n")[2].partition("\n\n")[0].splitlines()[1:]
    found = []
    for line in lines:
        name, *cells = line.strip("|").split(" | ")
        page, (answered_by,), actions, core = (re.findall(r"`([^`]+)`", cell) for cell in cells)
        found.append(Step(name.strip(), page, answered_by, actions, core))
    return found


def actions_of(app: str) -> set[str]:
    package = f"{app}.actions"
    return {f"{package}.{module.name}" for module in iter_modules(resolve_name(package).__path__)}


@pytest.fixture(scope="module")
def named() -> dict[str, Route]:
    return {route.name: route for route in routes() if route.name}


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.name)
def test_steps_page_resolves_to_the_view_named(step: Step, named: dict[str, Route]) -> None:
    if not step.page:
        return
    name, address = step.page
    route = named[name]
    assert route.address == address
    match = resolve(route.filled(SAMPLES))
    assert match.view_name == name
    assert route.view_name in {step.answered_by, f"{step.answered_by}.{name}"}


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.name)
def test_names_of_a_step_exist(step: Step) -> None:
    """An action is a module with one function of its name; the rest need only be there."""
    for action in step.actions:
        module = resolve_name(action)
        assert module.__name__ == action
        assert callable(getattr(module, action.rpartition(".")[2]))
    for name in (step.answered_by, *step.core):
        assert resolve_name(name)


def test_every_action_is_in_the_table() -> None:
    told = {action for step in steps() for action in step.actions}
    assert told == {action for app in APPS for action in actions_of(app)}
