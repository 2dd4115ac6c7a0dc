"""The revision of a model's files: a hub commit, or the digest of a folder."""

import hashlib
import re
from pathlib import Path

from trackside.errors import InputError

COMMIT = re.compile(r"[0-9a-f]{40}")


def pinned_revision(model: str, revision: str) -> str:
    """Return the exact revision of a model: the digest of its folder, or the given hub commit.

    Raises model-revision-needed for a hub name without a full commit (a branch moves), model-changed for a
    folder whose content differs from the given revision.
    """
    folder = Path(model)
    if not folder.is_dir():
        if not COMMIT.fullmatch(revision):
            raise InputError(
                f'"{model}" is not a folder on this server. For a hub model give the full commit, '
                "40 hexadecimal digits: a branch such as main moves, and the judge would change with it.",
                code="model-revision-needed",
            )
        return revision
    digest = folder_sha256(folder)
    if revision not in {"", digest}:
        raise InputError(
            f"The files in {model} have changed: their digest is {digest[:12]}, the judge was created with "
            f"{revision[:12]}. Put the old files back, or create a judge for the new ones.",
            code="model-changed",
        )
    return digest


def folder_sha256(folder: Path) -> str:
    """Return the SHA-256 over names and contents of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            part = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{part}\n".encode())
    return digest.hexdigest()
