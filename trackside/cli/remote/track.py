"""`trackside track`: export a track from a site as a file, check the file, and apply it."""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from trackside.cli.remote.client import RemoteSite, SiteRefused
from trackside.cli.remote.login import signed_in_site

EXAMPLE = "trackside track check atomic-2026.toml"
REFUSED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "act",
        choices=("export", "check", "apply"),
        help="export prints a track as TOML; check lists all faults of a file and what it would change; "
        "apply makes the changes",
    )
    parser.add_argument("name", metavar="TRACK|FILE", help="name of the track to export, or the file")


def run(arguments: argparse.Namespace) -> int:
    """Export, check or apply; return 0, or 1 if the file has faults."""
    site = signed_in_site()
    if arguments.act == "export":
        fetched = BytesIO()
        site.fetch(f"/tracks/{arguments.name}/file", fetched)
        sys.stdout.write(fetched.getvalue().decode())
        return 0
    return _send(site, Path(arguments.name), is_trial=arguments.act == "check")


def _send(site: RemoteSite, path: Path, *, is_trial: bool) -> int:
    try:
        answer = site.send(f"/track-files{'/check' if is_trial else ''}", [], path)
    except SiteRefused as refusal:
        if refusal.kind != "urn:trackside:track-file-refused":
            raise
        sys.stdout.writelines(f"{path}: {fault}\n" for fault in str(refusal).splitlines())
        return REFUSED
    for change in answer["changes"]:
        sys.stdout.write(f"{change}\n")
    done = "would change" if is_trial else "changed"
    sys.stdout.write(f"{answer['track']}: {len(answer['changes'])} {done}\n")
    return 0
