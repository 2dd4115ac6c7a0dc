"""Trains the missing models in a process of its own, beside the other steps."""

import hashlib
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

from evaluation.hosting.children import tie_to_parent
from trackside.errors import InputError

ROOM = Path(__file__).parents[1]
LIBRARIES = ("numpy", "pillow", "tokenizers", "torch", "transformers")
WITHOUT_INFLUENCE = "steps"  # the folder without influence on the weights


@dataclass(frozen=True)
class ModelFolders:
    """The folders of the demo's models, which exist as soon as they are trained."""

    clip: Path
    llava: Path

    @classmethod
    def of_site(cls) -> "ModelFolders":
        """Name the folders by a hash of all that decides the weights on one machine."""
        content = hashlib.sha256(repr([version(library) for library in LIBRARIES]).encode())
        for path in sorted([*ROOM.rglob("*.py"), *ROOM.rglob("*.toml")]):
            if path.parent.name != WITHOUT_INFLUENCE:
                content.update(path.read_bytes())
        folder, key = Path(settings.TRACKSIDE_VAR) / "models", content.hexdigest()[:16]
        return cls(folder / f"tiny-clip-{key}", folder / f"tiny-llava-{key}")


@contextmanager
def training(folders: ModelFolders) -> Iterator[Callable[[], None]]:
    """Train the missing models within the block; provide a check that raises InputError if this failed."""
    if folders.clip.is_dir() and folders.llava.is_dir():
        yield lambda: None
        return
    folders.clip.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "evaluation.demo.models.train", str(folders.clip), str(folders.llava)]
    tie = tie_to_parent(signal.SIGKILL)
    process = subprocess.Popen(command, cwd=ROOM.parents[1], start_new_session=True, preexec_fn=tie)  # noqa: S603 - no external input

    def check() -> None:
        if process.poll():
            raise InputError("The tiny models were not trained. The output above says why.")

    try:
        yield check
    finally:
        process.kill()
        process.wait()
