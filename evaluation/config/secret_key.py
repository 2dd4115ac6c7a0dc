"""The site's signing key when the environment gives none: made once, kept in the var folder."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def kept_secret_key(path: Path) -> str:
    """Return the key kept in a file, made on first use and readable by its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(60), encoding="ascii")
        with suppress(
            FileExistsError
        ):  # another start was faster: its key stays, which a rename would not allow
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii").strip()
