"""The site and token of API commands: from the environment, or stored by `trackside login`."""

import argparse
import json
import os
import sys
from dataclasses import asdict, dataclass, field
from getpass import getpass
from pathlib import Path
from urllib.parse import urlsplit

from trackside.cli.remote.client import RemoteSite, require_http
from trackside.errors import InputError

EXAMPLE = "trackside login https://trackside.example.org"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("site", metavar="SITE", help="the site's address; a prompt asks for the token")


def run(arguments: argparse.Namespace) -> int:
    """Prompt for the token, verify it with the site, and store it."""
    require_http()
    address = address_of(arguments.site)
    parts = urlsplit(address)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        sys.stderr.write(f"warning: {address}: without https, others on the network can read the token\n")
    token = _read_token(f"Token of {address}/account/tokens/: ")
    account = RemoteSite(address, token).read("/account")
    path = store_token(address, token)
    scopes = " and ".join(account["scopes"])
    sys.stdout.write(f"Signed in to {address} as {account['name'] or account['email']}; you may {scopes}.\n")
    sys.stdout.write(f"The token is stored in {path} and expires on {account['expires_at'][:10]}.\n")
    return 0


def _read_token(prompt: str) -> str:
    """Read the token from a hidden prompt or from a pipe. Raises InputError if it is empty."""
    token = getpass(prompt, stream=sys.stderr) if sys.stdin.isatty() else sys.stdin.readline()
    if not token.strip():
        raise InputError("no token was given. Make one on the page /account/tokens/ and paste it.")
    return token.strip()


TOKEN, SITE = "TRACKSIDE_TOKEN", "TRACKSIDE_SITE"


@dataclass
class Stored:
    """The content of the file: the token of each site, and the site of the last sign-in."""

    site: str = ""
    tokens: dict[str, str] = field(default_factory=dict)


def address_of(text: str) -> str:
    """The normalised address of a site. Raises InputError."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise InputError(f"{text}: not the address of a site. Write it as in https://trackside.example.org.")
    return text.rstrip("/")


def signed_in() -> tuple[str, str]:
    """Site and token: TRACKSIDE_SITE and TRACKSIDE_TOKEN, else the stored ones. Raises InputError."""
    stored = _stored()
    site = address_of(os.environ[SITE]) if os.environ.get(SITE) else stored.site
    if not site:
        raise InputError(f"no site is known. Run trackside login https://SITE, or set {SITE}.")
    token = os.environ.get(TOKEN) or stored.tokens.get(site, "")
    if not token:
        raise InputError(f"no token for {site} is known. Run trackside login {site}, or set {TOKEN}.")
    return site, token


def signed_in_site() -> RemoteSite:
    """The site of `signed_in`. Raises InputError."""
    require_http()  # said first: signing in needs it too
    return RemoteSite(*signed_in())


def store_token(site: str, token: str) -> Path:
    """Store the token in a file that only its owner can read, and return the path."""
    stored = _stored()
    stored.site, stored.tokens[site] = site, token
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    # Created with its final mode, so that others can never read it.
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(asdict(stored), file, indent=1)
    fresh.replace(path)
    return path


def _path() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "trackside" / "sites.json"


def _stored() -> Stored:
    path = _path()
    try:
        return Stored(**json.loads(path.read_text()))
    except FileNotFoundError:
        return Stored()
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: cannot be read ({error}). Remove it and run trackside login.") from error
