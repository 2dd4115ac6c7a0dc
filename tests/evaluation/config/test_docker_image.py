"""The Dockerfile agrees with project and Makefile; CONTRIBUTING tells how images are built and started."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from packaging.specifiers import SpecifierSet

ROOT = Path(settings.ROOT)


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return content


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_image_runs_as_an_ordinary_user_and_a_change_of_code_installs_nothing_again(
    stages: dict[str, list[str]], project: dict[str, Any], target: str
) -> None:
    lines = stages[target]
    assert lines[-1] == "USER trackside"
    assert lines[-2].startswith("RUN chmod --recursive a+rX . && python -m compileall -q . && ")
    assert any("useradd" in line and "--uid 10001" in line for line in lines)
    code = lines.index("COPY . .")
    assert not [line for line in lines[code:] if "pip install" in line]
    before = [word for line in lines[:code] if line.startswith("COPY") for word in line.split()[1:-1]]
    assert set(before) == {"constraints.txt", "pyproject.toml", "README.md", "LICENSE"}
    assert "PYTHONPATH=/srv/trackside" in " ".join(lines), "what is installed holds no code"
    installs = [shlex.split(line)[2:] for line in lines if line.startswith("RUN pip")]
    assert all("constraints.txt" in words for words in installs)
    (extras,) = re.findall(r"\[(.+)\]", installs[-1][-1])
    assert set(extras.split(",")) == {"site", "models", "s3"} <= set(project["optional-dependencies"])
    found = re.search(r"python:(\d+\.\d+)", stages["base"][0])
    assert found
    assert found[1] in SpecifierSet(project["requires-python"])


def test_cpu_image_and_makefile_look_for_torch_in_one_place(stages: dict[str, list[str]]) -> None:
    found = re.search(r"TORCH_INDEX \?= (\S+)", (ROOT / "Makefile").read_text())
    assert found
    assert any(line.startswith(f"ARG TORCH_INDEX={found[1]} ") for line in stages["cpu"])
    (install,) = [line for line in stages["cpu"] if "$TORCH_INDEX" in line]
    assert '--index-url "$TORCH_INDEX"' in install
    assert "--extra-index-url" not in install, "an index that is missing must fail the build"
    assert not any(found[1] in line for line in stages["cuda"])


@pytest.mark.parametrize(
    ("cuda", "wanted", "is_refused"),
    [
        (None, "refused", False),
        ("12.8", "refused", True),
        ("12.8", "allowed", False),
        ("12.8", "needed", False),
        (None, "needed", True),
    ],
)
def test_image_names_which_torch_it_has_and_refuses_the_wrong_one(
    tmp_path: Path, cuda: str | None, wanted: str, is_refused: bool
) -> None:
    (tmp_path / "torch.py").write_text(
        f"class version:\n    cuda = {cuda!r}\n__version__ = '2.13.0'\n", encoding="utf-8"
    )
    command = [sys.executable, str(ROOT / "docker/torch_build.py"), wanted]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"torch 2.13.0, CUDA {cuda or 'none'}\n"
    assert (done.returncode != 0) == is_refused, done.stderr


def test_image_is_given_everything_that_runs() -> None:
    ignore = (ROOT / "docker/Dockerfile.dockerignore").read_text().splitlines()
    given = {line.removeprefix("!") for line in ignore if line.startswith("!")}
    assert {"manage.py", "pyproject.toml", "constraints.txt"} <= given
    assert {"evaluation", "assessment", "judges", "trackside"} <= given
    assert {name for name in given if not (ROOT / name).exists()} == set()


def test_torch_is_pinned_without_a_build() -> None:
    """`torch==2.13.0` takes a CPU wheel (2.13.0+cpu) where one is offered, and the plain one elsewhere."""
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    (torch,) = [pin for pin in pins if pin.startswith("torch==")]
    assert "+" not in torch
    assert not [pin for pin in pins if pin.startswith("nvidia")]
