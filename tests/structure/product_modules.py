"""The modules of product and tests, parsed once for all tests that read them; these run on one worker."""

import ast
import gc
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
PACKAGES = ("evaluation", "assessment", "judges", "trackside")

on_one_worker = pytest.mark.xdist_group("product_modules")


@cache
def modules_of_tests() -> dict[Path, ast.Module]:
    """Every module of the tests by its path, sorted."""
    return _parsed("tests")


def _parsed(*packages: str) -> dict[Path, ast.Module]:
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    trees = {path: ast.parse(path.read_text()) for path in paths}
    gc.freeze()  # half a million nodes, which the collector would visit again and again
    return trees


@cache
def modules() -> dict[Path, ast.Module]:
    """Every module of the product but migrations, by its path, sorted."""
    return {path: tree for path, tree in _parsed(*PACKAGES).items() if "migrations" not in path.parts}
