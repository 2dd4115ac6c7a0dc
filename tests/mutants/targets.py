"""The modules that are mutated, and the tests that must notice."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PURE_TESTS = ("tests/trackside", "tests/oracles", "tests/assessment/core")


@dataclass(frozen=True)
class Group:
    """Modules of one subject; ``tests`` for those that need the site, else whatever imports the module."""

    subject: str
    paths: Sequence[str]
    tests: Sequence[str] = ()


@dataclass(frozen=True)
class Target:
    """A module and its tests: for pure ones the nearest, and those tried if these notice nothing."""

    subject: str
    module: str
    path: Path
    near: Sequence[str]
    far: Sequence[str]
    needs_site: bool


PERMISSION_TESTS = (
    "tests/evaluation/platform/access",
    "tests/evaluation/tracks",
    "tests/evaluation/submissions/runs",
    "tests/evaluation/submissions/teams",
    "tests/evaluation/results/qrels",
    "tests/evaluation/collections",
    "--ignore=tests/evaluation/collections/test_large_collection.py",  # it fails when repeated
    "tests/evaluation/submissions/pools",
    "tests/evaluation/results/values",
    "tests/evaluation/results/reports",
    "tests/permissions/test_blindness.py",
    "tests/permissions/test_permissions.py",
    "tests/permissions/test_cross_track.py",
    "tests/permissions/test_cross_keys.py",
)
GROUPS = (
    Group("measures", ["trackside/measuring"]),
    Group("ranking", ["trackside/files/rows.py", "trackside/fusion"]),
    Group("statistics", ["trackside/statistics", "trackside/judging/mappings/fitted_cuts.py"]),
    Group("uncertainty", ["trackside/uncertainty"]),
    Group("pooling", ["trackside/pooling"]),
    Group("publishing", ["assessment/core/consolidation.py"]),
    Group("money", ["trackside/judging/costs.py"]),
    Group(
        "publishing",
        [
            "assessment/publishing",
            "evaluation/results/qrels/actions.py",
            "evaluation/results/qrels/shares.py",
            "assessment/models/exclusion.py",
        ],
        [
            "tests/assessment/publishing",
            "tests/evaluation/results/qrels",
            "tests/assessment/quality",
            "tests/assessment/assigning",
            "tests/assessment/judging/test_seen.py",
            "tests/assessment/dashboard/test_progress.py",
            "tests/assessment/test_nominal_answer.py",
            "tests/concurrency/test_concurrency.py",
        ],
    ),
    Group(
        "pooling",
        ["evaluation/submissions/pools/actions.py", "evaluation/submissions/pools/operations.py"],
        [
            "tests/evaluation/submissions/pools",
            "tests/evaluation/tracks/work/operations",
            "tests/concurrency/test_concurrency.py",
        ],
    ),
    Group(
        "deadlines",
        ["evaluation/tracks/models.py"],
        [
            "tests/evaluation/tracks",
            "tests/evaluation/submissions/runs",
            "tests/permissions/test_permissions.py",
        ],
    ),
    Group(
        "deadlines",
        [
            "evaluation/submissions/runs/receiving.py",
            "evaluation/submissions/runs/granting.py",
            "evaluation/submissions/runs/late_exceptions.py",
        ],
        [
            "tests/evaluation/submissions/runs/test_receive_run.py",
            "tests/evaluation/submissions/runs/test_late_exceptions.py",
            "tests/evaluation/submissions/runs/test_run_list.py",
            "tests/evaluation/platform/web/api/test_late_exceptions.py",
            "tests/concurrency/test_straddling_uploads.py",
            "tests/permissions/test_permissions.py",
        ],
    ),
    Group(
        "permissions",
        [
            "evaluation/platform/access/people.py",
            "evaluation/platform/access/tokens.py",
            "evaluation/tracks/lookups.py",
            "evaluation/tracks/visibility.py",
            "evaluation/submissions/teams/models.py",
            "evaluation/collections/models.py",
            "evaluation/collections/blobs.py",
            "evaluation/submissions/runs/models.py",
            "evaluation/submissions/pools/models.py",
            "evaluation/results/qrels/models.py",
            "evaluation/results/values/models.py",
            "evaluation/results/reports/models.py",
        ],
        PERMISSION_TESTS,
    ),
    Group(
        "permissions",
        [
            "assessment/models/assignment.py",
            "assessment/models/judgment.py",
            "assessment/models/remark.py",
            "assessment/models/gold.py",
        ],
        ["tests/assessment", "tests/permissions/test_permissions.py", "tests/permissions/test_blindness.py"],
    ),
    Group(
        "imports",
        [f"evaluation/organizing/imports/{name}.py" for name in ("actions", "models")]
        + [f"evaluation/organizing/imports/adding_{kind}.py" for kind in ("items", "qrels", "runs")],
        [
            "tests/evaluation/organizing/imports",
            "tests/evaluation/tracks/work/test_claim_work.py",
            "tests/evaluation/platform/web/api/test_importing.py",
        ],
    ),
    Group("imports", ["trackside/imports/proposing.py", "trackside/imports/field_names.py"]),
    Group(
        "setup",
        [
            "evaluation/organizing/setup/actions.py",
            "evaluation/organizing/setup/steps.py",
            "evaluation/collections/actions.py",
        ],
        ["tests/evaluation/organizing/setup", "tests/evaluation/collections"],
    ),
    Group(
        "values",
        [
            "evaluation/results/values/actions.py",
            "evaluation/results/values/run_values.py",
            "evaluation/results/values/leaders.py",
            "evaluation/results/values/leaderboard.py",
        ],
        ["tests/evaluation/results", "tests/evaluation/organizing/pages/test_run_detail.py"],
    ),
    Group(
        "pages",
        [
            "evaluation/organizing/pages/needs.py",
            "evaluation/organizing/pages/task_facts.py",
            "evaluation/organizing/pages/runs.py",
        ],
        [
            "tests/evaluation/organizing/pages",
            "tests/evaluation/submissions/runs",
            "tests/evaluation/organizing/setup/test_releasing.py",
            "tests/evaluation/organizing/auditing",
            "tests/evaluation/submissions/teams/test_registration.py",
            "tests/evaluation/tracks/inquiries",
            "tests/evaluation/tracks/test_archiving.py",
        ],
    ),
    Group("wall", ["assessment/wall"], ["tests/assessment/wall", "tests/assessment/judging"]),
    Group(
        "money",
        [
            "judges/jobs/money.py",
            "judges/jobs/budgets.py",
            "judges/jobs/estimates.py",
            "judges/jobs/starting.py",
        ],
        [
            "tests/judges/jobs/money/test_caps.py",
            "tests/judges/jobs/money/test_reserve_money.py",
            "tests/judges/jobs/money/test_estimate_job.py",
            "tests/judges/jobs/test_start_job.py",
            "tests/judges/jobs/shards/test_run.py",
            "tests/judges/jobs/asking/test_pairs.py",
            "tests/judges/jobs/asking/test_faults.py",
            "tests/judges/jobs/asking/test_crashes.py",
            "tests/judges/jobs/asking/test_money.py",
            "tests/judges/jobs/test_sweep_jobs.py",
            "tests/judges/test_tenants.py",
            "tests/permissions/test_permissions.py",
        ],
    ),
    Group(
        "money",
        ["judges/catalogue/models.py", "judges/catalogue/actions.py"],
        ["tests/judges/catalogue", "tests/judges/test_tenants.py", "tests/permissions/test_permissions.py"],
    ),
)


def find_targets(only: Sequence[str]) -> list[Target]:
    """Return the targets of a subject in ``only``, or whose module begins with one of the names there."""
    targets = [
        _target(group, path) for group in GROUPS for entry in group.paths for path in _modules(ROOT / entry)
    ]
    return [target for target in targets if target.module.startswith(tuple(only)) or target.subject in only]


def _modules(entry: Path) -> list[Path]:
    paths = [entry] if entry.is_file() else sorted(entry.rglob("*.py"))
    if not paths:
        raise FileNotFoundError(f"{entry} is no module: correct tests/mutants/targets.py")
    return [path for path in paths if path.name != "__init__.py"]


def _target(group: Group, path: Path) -> Target:
    module = _name(path)
    if group.tests:
        return Target(group.subject, module, path, group.tests, [], needs_site=True)
    near, far = _tests_of(module)
    return Target(group.subject, module, path, near, far, needs_site=False)


def _tests_of(module: str) -> tuple[list[str], list[str]]:
    """Return the pure tests of its folder that reach the module, direct importers first, and the others."""
    package, _, stem = module.rpartition(".")
    direct = _importers()[module] | _importers()[package]
    pure = _dependents(module) - _dependents("evaluation.models")
    places = {name: str(path.relative_to(ROOT)) for name, path in _pure_tests().items() if name in pure}
    own = f"tests.{package}.", f"tests.{package.rpartition('.')[0]}.test_{package.rpartition('.')[2]}"
    near = [name for name in sorted(places) if name.startswith(own)]
    near.sort(key=lambda name: (stem not in name, name not in direct))
    return [places[name] for name in near], sorted(
        place for name, place in places.items() if name not in near
    )


@cache
def _dependents(module: str) -> set[str]:
    """Return the modules that import it, also by way of others."""
    seen, ahead = {module}, [module]
    while ahead:
        found = _importers()[ahead.pop()] - seen
        seen |= found
        ahead += found
    return seen


@cache
def _pure_tests() -> dict[str, Path]:
    found = (path for folder in PURE_TESTS for path in sorted((ROOT / folder).rglob("test_*.py")))
    return {_name(path): path for path in found}


@cache
def _importers() -> dict[str, set[str]]:
    """Return for each module of ours those that import it."""
    importers: dict[str, set[str]] = defaultdict(set)
    folders = ("evaluation", "assessment", "judges", "trackside", "tests")
    paths = {_name(path): path for folder in folders for path in (ROOT / folder).rglob("*.py")}
    for name, path in paths.items():
        for imported in _imports(path):
            importers[imported].add(name)
    return importers


def _imports(path: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
