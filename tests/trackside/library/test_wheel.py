"""The wheel, installed without the working copy, has all files, computes values and runs a site."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.hosting.addresses import socket_folder
from evaluation.hosting.children import tie_to_parent
from tests.evaluation.conftest import PATIENCE, make_var, remove_var, wait_for

ROOT = Path(settings.ROOT)
PACKAGES = ("trackside", "evaluation", "assessment", "judges")
RUN = "1 Q0 a 1 3 own\n1 Q0 b 2 2 own\n"
QRELS = "1 0 b 1\n"  # RR is 1 / 2

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: setuptools writes files into the folder in which it builds."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in (*PACKAGES, "templates"):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    words = ["wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(out), str(copy)]
    succeed([sys.executable, "-m", "pip", "--quiet", *words], cwd=out)
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def venv(wheel: Path) -> Iterator[Path]:
    """An environment with the wheel and what it needs, but not the working copy.

    Its path file adds only the folder of packages; path files there, which name the working copy, are
    ignored.
    """
    folder = make_var()  # PostgreSQL's account must reach it
    succeed([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], cwd=folder)
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(folder / "env/bin/python")]
    succeed([*pip, "install", "--no-deps", "--no-index", str(wheel)], cwd=folder)
    names = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    site_packages = Path(sysconfig.get_path("purelib", vars=names))
    (site_packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    yield folder / "env"
    shutil.rmtree(folder)


def succeed(command: list[str], *, cwd: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), "LANG": "C.UTF-8"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    """Templates, static files, migrations, marks of types: every file of a package, and nothing else."""
    there = {
        path.relative_to(ROOT).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    templates = {f"evaluation/{path.relative_to(ROOT)}" for path in (ROOT / "templates").rglob("*.*")}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == there | templates
    assert {
        "evaluation/templates/account/login.html", "assessment/static/assessment/judging.js",
        "judges/migrations/0001_initial.py", "trackside/py.typed", "evaluation/py.typed",
        "evaluation/locale/de/LC_MESSAGES/django.mo",
    } <= held  # fmt: skip


def test_library_and_command_work_where_the_wheel_is_installed(venv: Path, tmp_path: Path) -> None:
    (tmp_path / "own.run").write_text(RUN)
    (tmp_path / "own.qrels").write_text(QRELS)
    code = """
import trackside, evaluation
print(trackside.__file__)
print(evaluation.__file__)
print(trackside.evaluate("own.run", "own.qrels", "RR").means().tolist())
"""
    library, package, values = succeed([f"{venv}/bin/python", "-c", code], cwd=tmp_path).split("\n")[:3]
    assert Path(library).is_relative_to(venv)
    assert Path(package).is_relative_to(venv)
    assert values == "[[[0.5]]]"
    words = ["score", "--qrels", "own.qrels", "-m", "RR", "own.run", "--format", "tsv"]
    assert "0.5000" in succeed([f"{venv}/bin/trackside", *words], cwd=tmp_path)


def test_site_is_sound_where_the_wheel_is_installed(venv: Path, tmp_path: Path) -> None:
    command = [f"{venv}/bin/python", "-m", "django", "check", "--settings=evaluation.config.settings"]
    assert "no issues" in succeed(command, cwd=tmp_path)
    assert (tmp_path / "var").is_dir()  # a site keeps its state in the folder that it is started in


def test_site_runs_from_the_wheel(venv: Path, site_folder: Path) -> None:
    """Servers, migrations, web: a page with our templates, and static files of each app and of Django."""
    output = site_folder / "output"
    with output.open("wb") as written:
        site = subprocess.Popen(
            [f"{venv}/bin/trackside-site", "up", "--port", "0"],
            cwd=site_folder,
            env={"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=tie_to_parent(signal.SIGKILL),
        )
    try:
        wait_for(lambda: "is ready on" in output.read_text() or site.poll() is not None, "the site")
        found = re.search(r"is ready on (\S+)", output.read_text())
        assert found, output.read_text()
        assert '<header class="top">' in fetched(f"{found[1]}/account/login/")  # our page, not allauth's
        for app, name in (("evaluation", "trackside/base.css"), ("assessment", "assessment/judging.js")):
            content = (ROOT / app / "static" / name).read_text()
            assert fetched(f"{found[1]}/static/{name}") == content
        assert "--body-bg" in fetched(f"{found[1]}/static/admin/css/base.css")
    finally:
        os.killpg(site.pid, signal.SIGTERM)
        site.wait(PATIENCE)
    assert "Trackside has stopped." in output.read_text()


@pytest.fixture
def site_folder() -> Iterator[Path]:
    folder = make_var()  # the account that PostgreSQL runs as must reach it
    yield folder
    shutil.rmtree(socket_folder(folder / "var"), ignore_errors=True)
    remove_var(folder)


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read(), "utf-8")
