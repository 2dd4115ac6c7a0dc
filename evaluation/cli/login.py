"""`trackside login`: keep a site's token for the commands that speak to it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

EXAMPLE = "trackside login https://trackside.example.org"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("site", metavar="SITE", help="its address; the token is asked for, never an argument")


def run(arguments: argparse.Namespace) -> int:
    """Asks for the token, has the site check it, and keeps it."""
    from urllib.parse import urlsplit

    from evaluation.cli.remote import Site
    from evaluation.cli.sites import address_of, keep

    address = address_of(arguments.site)
    parts = urlsplit(address)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        sys.stderr.write(f"warning: {address}: without https, others on the way can read the token\n")
    token = _asked(f"Token of {address}/account/tokens/: ")
    account = Site(address, token).read("/account")
    path = keep(address, token)
    scopes = " and ".join(account["scopes"])
    sys.stdout.write(f"Signed in to {address} as {account['name'] or account['email']}; you may {scopes}.\n")
    sys.stdout.write(f"The token is kept in {path}, and runs out on {account['expires_at'][:10]}.\n")
    return 0


def _asked(prompt: str) -> str:
    """What is typed without being shown, or what is piped in. Raises NotSignedIn when that is nothing."""
    from getpass import getpass

    from evaluation.cli.sites import NotSignedIn

    token = getpass(prompt, stream=sys.stderr) if sys.stdin.isatty() else sys.stdin.readline()
    if not token.strip():
        raise NotSignedIn("no token was given. Make one on the page /account/tokens/ and paste it.")
    return token.strip()
