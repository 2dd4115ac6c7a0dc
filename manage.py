#!/usr/bin/env python
"""Django's command line, with Trackside's settings."""

import os
import sys
from contextlib import nullcontext

from trackside.cli.main import quiet_on_closed_pipe

SITES = {"up", "demo"}  # their child processes record who changes what


def main() -> None:
    """Run the command that the arguments name, such as `up`, `migrate` or `doctor`."""
    try:
        import pghistory  # imported here, so that the error below can name the missing package
        from django.core.management import execute_from_command_line
    except ImportError as error:
        sys.exit(f"manage.py: {error.name} is not installed: pip install -e '.[site]'.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")
    command = "".join(sys.argv[1:2])
    context = nullcontext() if command in SITES else pghistory.context(command=command)
    with quiet_on_closed_pipe(), context:
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
