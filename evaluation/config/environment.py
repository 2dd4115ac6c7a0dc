"""Parses settings from the environment, and keeps the signing key; raises InputError for bad values."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from trackside.errors import InputError

YES = frozenset({"1", "yes", "true", "on"})
NO = frozenset({"0", "no", "false", "off"})


class Environment:
    """The values of the settings; an empty value counts as unset."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def text(self, name: str, default: str = "") -> str:
        """Return the value, or the content of the file in the setting ``NAME_FILE``: a container's secret.

        Raises:
            InputError: that file cannot be read.
        """
        return self._values.get(name, "").strip() or self._file_content(name) or default

    def _file_content(self, name: str) -> str:
        path = self._values.get(f"{name}_FILE", "").strip()
        if not path:
            return ""
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"{name}_FILE={path}: {error}. Name a text file that the site can read."
            ) from error

    def words(self, name: str) -> list[str]:
        """Return the comma-separated words, without blanks; none when unset."""
        return [word.strip() for word in self.text(name).split(",") if word.strip()]

    def flag(self, name: str, *, default: bool) -> bool:
        """Return the value as a boolean.

        Raises:
            InputError: the value is neither yes nor no.
        """
        word = self.text(name, "yes" if default else "no").lower()
        if word not in YES | NO:
            raise InputError(
                f'Setting {name} is "{word}", which is not yes or no. Fix it in the environment or in .env.'
            )
        return word in YES

    def count(self, name: str, *, default: int) -> int:
        """Return the value as a whole number, 0 or more.

        Raises:
            InputError: the value is not such a number.
        """
        word = self.text(name, str(default))
        if not word.isascii() or not word.isdigit():
            raise InputError(
                f'Setting {name} is "{word}", which is not a whole number. Fix it in the environment or .env.'
            )
        return int(word)


def read_env_file(path: Path) -> dict[str, str]:
    """Return the settings of a .env file; empty if the file is absent.

    One `NAME=value` per line; single or double quotes around the value are optional, nothing is expanded.

    Raises:
        InputError: a line has another form.
    """
    if not path.is_file():
        return {}
    values = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.strip().isidentifier():
            raise InputError(f"{path}, line {number}: expected NAME=value, a comment (#) or an empty line.")
        values[name.strip()] = _unquoted(value.strip())
    return values


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value


def site_environment(root: Path) -> Environment:
    """Return the settings of this site: from the environment, else from `.env` in the root folder."""
    env_file = Path(os.environ.get("TRACKSIDE_ENV_FILE", root / ".env"))
    return Environment({**read_env_file(env_file), **os.environ})


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
