"""`trackside login`: store a site's token for the commands that call its API."""

import argparse
import sys

from trackside.errors import InputError

EXAMPLE = "trackside login https://trackside.example.org"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("site", metavar="SITE", help="the site's address; a prompt asks for the token")


def run(arguments: argparse.Namespace) -> int:
    """Prompt for the token, verify it with the site, and store it."""
    from urllib.parse import urlsplit

    from trackside.cli.remote.client import RemoteSite, require_http
    from trackside.cli.remote.sites import address_of, store_token

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
    from getpass import getpass

    token = getpass(prompt, stream=sys.stderr) if sys.stdin.isatty() else sys.stdin.readline()
    if not token.strip():
        raise InputError("no token was given. Make one on the page /account/tokens/ and paste it.")
    return token.strip()
