"""The product's modules, parsed once for all tests that read them; these run on one worker."""

from __future__ import annotations

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
def all_modules() -> dict[Path, ast.Module]:
    """Every module by its path, sorted."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    trees = {path: ast.parse(path.read_text()) for path in paths}
    gc.freeze()  # half a million nodes, which the collector would visit again and again
    return trees


def modules() -> dict[Path, ast.Module]:
    """Every module but migrations."""
    return {path: tree for path, tree in all_modules().items() if "migrations" not in path.parts}
