"""The wheel, installed without the working copy, holds library and command, and both compute values."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.ROOT)
RUN = "1 Q0 a 1 3 own\n1 Q0 b 2 2 own\n"
QRELS = "1 0 b 1\n"  # RR is 1 / 2
CODE = """
import trackside
print(trackside.__file__)
print(trackside.evaluate("own.run", "own.qrels", "RR").means().tolist())
"""

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: setuptools writes files into the folder in which it builds."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("trackside", "evaluation", "assessment", "judges"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    words = ["wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(out), str(copy)]
    succeed([sys.executable, "-m", "pip", "--quiet", *words], cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment with the wheel and what it needs, but not the working copy.

    Its path file adds only the folder of packages; path files there, which name the working copy, are
    ignored.
    """
    folder = tmp_path_factory.mktemp("installed")
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


def test_wheel_holds_every_file_of_the_library_alone(wheel: Path) -> None:
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "trackside").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == files
    assert "trackside/py.typed" in held


def test_library_and_command_work_beside_packages_named_as_the_apps(venv: Path, tmp_path: Path) -> None:
    (tmp_path / "own.run").write_text(RUN)
    (tmp_path / "own.qrels").write_text(QRELS)
    for name in ("evaluation", "assessment", "judges"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('of somebody else')\n")
    library, values = succeed([f"{venv}/bin/python", "-c", CODE], cwd=tmp_path).splitlines()
    assert Path(library).is_relative_to(venv)
    assert values == "[[[0.5]]]"
    words = ["score", "--qrels", "own.qrels", "-m", "RR", "own.run", "--format", "tsv"]
    for command in ([f"{venv}/bin/trackside"], [f"{venv}/bin/python", "-m", "trackside.cli.main"]):
        assert "0.5000" in succeed([*command, *words], cwd=tmp_path)
