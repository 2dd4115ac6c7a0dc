"""Which site to speak to, and with which token: from the environment, or as `trackside login` left it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from evaluation.core.errors import InputError

TOKEN, SITE = "TRACKSIDE_TOKEN", "TRACKSIDE_SITE"


class NotSignedIn(InputError):
    """No site, or no token for it, is known."""


class NoSite(InputError):
    """What was given is no address of a site."""


@dataclass
class Kept:
    """What the file holds: the token of each site, and the site that was signed in to last."""

    site: str = ""
    tokens: dict[str, str] = field(default_factory=dict)


def address_of(text: str) -> str:
    """The address of a site as it is kept. Raises NoSite."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise NoSite(f"{text}: no address of a site. Write it as in https://trackside.example.org.")
    return text.rstrip("/")


def signed_in() -> tuple[str, str]:
    """The site and the token: TRACKSIDE_SITE and TRACKSIDE_TOKEN, else what was kept. Raises NotSignedIn."""
    kept = _kept()
    site = address_of(os.environ[SITE]) if os.environ.get(SITE) else kept.site
    if not site:
        raise NotSignedIn(f"no site is known. Run trackside login https://SITE, or set {SITE}.")
    token = os.environ.get(TOKEN) or kept.tokens.get(site, "")
    if not token:
        raise NotSignedIn(f"no token for {site} is known. Run trackside login {site}, or set {TOKEN}.")
    return site, token


def keep(site: str, token: str) -> Path:
    """Keep the token in a file that nobody else can read, and return where."""
    kept = _kept()
    kept.site, kept.tokens[site] = site, token
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    # Opened with its mode: there is no moment in which others could read it.
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(kept), file, indent=1)
    fresh.replace(path)
    return path


def _path() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "trackside" / "sites.json"


def _kept() -> Kept:
    path = _path()
    try:
        return Kept(**json.loads(path.read_text()))
    except FileNotFoundError:
        return Kept()
    except (OSError, ValueError, TypeError) as error:
        raise NotSignedIn(f"{path}: cannot be read ({error}). Remove it and run trackside login.") from error
