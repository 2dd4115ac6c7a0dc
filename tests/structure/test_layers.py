"""Import contracts: the code keeps them, and each contract detects a violation."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

pytestmark = pytest.mark.whole  # `make check` runs import-linter on the tree

ROOT = Path(settings.ROOT)
APPS = ["evaluation", "assessment", "judges", "trackside"]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the apps in the folder, by the folder's own contracts."""
    command = [sys.executable, "-c", LINT, "--no-cache"]
    wide = os.environ | {"COLUMNS": "200"}  # so that each contract's name is one line
    return subprocess.run(command, cwd=folder, env=wide, text=True, capture_output=True, check=False)


@pytest.fixture(scope="module")
def contracts() -> list[dict[str, Any]]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: list[dict[str, Any]] = content["tool"]["importlinter"]["contracts"]
    return found


BREACHES = [
    ("evaluation/odds.py", "", "Layers of evaluation"),
    ("assessment/odds.py", "", "Layers of assessment"),
    ("judges/odds.py", "", "Layers of judges"),
    ("evaluation/runs/of_judges.py", "judges.models", "People and models"),
    ("assessment/judging/of_judges.py", "judges.models", "People and models"),
    ("judges/jobs/of_config.py", "evaluation.config.settings", "People and models"),
    ("evaluation/runs/of_reports.py", "evaluation.reports.models", "Layers of evaluation"),
    ("evaluation/mail/of_runs.py", "evaluation.runs.models", "Layers of evaluation"),
    ("evaluation/mail/forms.py", "evaluation.mail.admin", "Inside a package"),
    ("evaluation/access/odds.py", "", "Layers of access"),
    ("evaluation/access/schema/of_people.py", "evaluation.access.people", "Layers of access"),
    ("evaluation/web/odds.py", "", "Layers of web"),
    ("trackside/statistics/odds.py", "", "Layers of statistics"),
    (
        "trackside/statistics/saving/of_correlation.py",
        "trackside.statistics.correlation",
        "Layers of statistics",
    ),
    ("trackside/reporting/sections/odds.py", "", "Layers of sections"),
    ("trackside/figures/odds.py", "", "Layers of figures"),
    ("trackside/cli/files/of_remote.py", "trackside.cli.remote", "Layers of the command line"),
    ("evaluation/demo/retrieval/of_steps.py", "evaluation.demo.steps", "Layers of the demo"),
    ("evaluation/config/odds.py", "", "Layers of config"),
    ("judges/jobs/of_tasks.py", "judges.tasks", "Layers of judges"),
    ("assessment/assigning/of_quality.py", "assessment.quality.pages", "Layers of assessment"),
    ("assessment/core/odds.py", "evaluation.models", "Library and backends"),
    ("judges/backends/of_time.py", "time", "What computes"),
    ("judges/backends/of_clip.py", "judges.backends.clip", "No backend"),
    ("trackside/judging/odds.py", "torch", "The library imports no model"),
    ("trackside/cli/odds.py", "PIL", "Command line and public"),
    ("trackside/odds.py", "evaluation.models", "The library imports nothing"),
    ("trackside/files/of_checks.py", "trackside.checks.codes", "Layers of the library"),
]
"""A module, what it imports (nothing where the mere module breaks the rules), and how its contract begins."""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report on each broken contract, by its name, of a copy of the apps with every violation planted."""
    copy = tmp_path_factory.mktemp("copy")
    for app in APPS:
        shutil.copytree(ROOT / app, copy / app, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for module, imported, _ in BREACHES:
        (copy / module).write_text(f"import {imported}\n" if imported else "")
    done = linted(copy)
    assert done.returncode == 1
    headed = re.split(r"^(.+)\n-+\n", done.stdout.partition("Broken contracts")[2], flags=re.MULTILINE)
    return dict(zip(headed[1::2], headed[2::2], strict=True))


def test_tree_keeps_its_contracts() -> None:
    done = linted(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "imported", "contract"), BREACHES)
def test_contracts_detect_a_violation(
    broken: dict[str, str], module: str, imported: str, contract: str
) -> None:
    """The report names the planted import or module."""
    report = "".join(text for name, text in broken.items() if name.startswith(contract))
    name = module.removesuffix(".py").replace("/", ".")
    assert re.search(
        rf"{re.escape(name)} -> {re.escape(imported)}\b" if imported else rf"- {name}\n", report
    ), report


def test_contracts_detect_a_circle(broken: dict[str, str]) -> None:
    """The mails that import runs, which send mails."""
    (report,) = (text for name, text in broken.items() if name.startswith("No circles"))
    assert ".mail -> .runs" in report


def test_contract_between_the_apps_names_every_module_of_evaluation(contracts: list[dict[str, Any]]) -> None:
    """Only the layers inside an app can be exhaustive, so the contract between the apps repeats them."""

    def names(layers: list[str]) -> set[str]:
        return {name.strip(" ()") for layer in layers for name in layer.replace("|", ":").split(":")}

    between, inside = contracts[0], contracts[1]
    assert inside["containers"] == ["evaluation"]
    all_named = {name.removeprefix("evaluation.") for name in names(between["layers"])}
    assert all_named - {"assessment", "judges", "trackside"} == names(inside["layers"])


def test_contracts_ignore_nothing(contracts: list[dict[str, Any]]) -> None:
    assert not [option for contract in contracts for option in contract if "ignore" in option]
