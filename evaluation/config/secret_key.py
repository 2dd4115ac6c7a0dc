"""The site's signing key if the environment has none: created once and stored in the var folder."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def kept_secret_key(path: Path) -> str:
    """Return the key stored in a file, created on first use and readable only by its owner."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(60), encoding="ascii")
        with suppress(FileExistsError):  # another process was first; a rename would overwrite its key
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii").strip()
