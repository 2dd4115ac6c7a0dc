"""The contracts on who may import whom: the tree keeps them, and each would notice a breach."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
APPS = ["evaluation", "assessment", "judges"]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the apps in the folder, by the folder's own contracts."""
    command = [sys.executable, "-c", LINT, "--no-cache"]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)


@pytest.fixture(scope="module")
def contracts() -> list[dict[str, Any]]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: list[dict[str, Any]] = content["tool"]["importlinter"]["contracts"]
    return found


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the apps, to break."""
    for app in APPS:
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_tree_keeps_its_contracts() -> None:
    done = linted(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "imported", "contract"),
    [
        ("evaluation/odds.py", "", "Layers of evaluation"),
        ("assessment/odds.py", "", "Layers of assessment"),
        ("judges/odds.py", "", "Layers of judges"),
        ("evaluation/views/odds.py", "judges.models", "People and models"),
        ("assessment/views/odds.py", "judges.models", "People and models"),
        ("judges/actions/odds.py", "evaluation.config.settings", "People and models"),
        ("evaluation/actions/odds.py", "evaluation.views", "Layers of evaluation"),
        ("judges/actions/odds.py", "judges.tasks", "Layers of judges"),
        ("assessment/core/odds.py", "evaluation.models", "Cores and backends"),
        ("judges/backends/odds.py", "time", "Cores and backends"),
        ("judges/backends/odds.py", "judges.backends.clip", "No backend"),
        ("judges/core/odds.py", "torch", "The judges' core"),
        ("evaluation/cli/odds.py", "PIL", "The command line"),
    ],
)
def test_contracts_notice_a_breach(copied: Path, module: str, imported: str, contract: str) -> None:
    """Planted in a copy, the import (or the mere module, where none is named) breaks the contract."""
    (copied / module).write_text(f"import {imported}\n" if imported else "")
    done = linted(copied)
    assert done.returncode == 1
    broken = done.stdout.partition("Broken contracts")[2]
    assert f"\n{contract}" in broken, done.stdout


def test_contract_between_the_apps_names_every_module_of_evaluation(contracts: list[dict[str, Any]]) -> None:
    """Only the layers inside an app can be exhaustive, so the contract between the apps repeats them."""

    def names(layers: list[str]) -> set[str]:
        return {name.strip(" ()") for layer in layers for name in layer.replace("|", ":").split(":")}

    between, inside = contracts[0], contracts[1]
    assert inside["containers"] == ["evaluation"]
    below = {name.removeprefix("evaluation.") for name in names(between["layers"][2:])}
    assert below == names(inside["layers"]) - {"config"}


def test_contracts_ignore_nothing(contracts: list[dict[str, Any]]) -> None:
    assert not [option for contract in contracts for option in contract if "ignore" in option]
