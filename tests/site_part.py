"""`python -m tests.site_part NAME MODULE...`: import modules, then run a part of Celery as `up` does."""

import os
import sys
from importlib import import_module

import django

IS_NICE = "TRACKSIDE_TEST_IS_NICE"  # environment variable: 0 for the priority of the tests beside it


def command(name: str, *modules: str) -> list[str]:
    """The command line of this module."""
    return [sys.executable, "-m", __name__, name, *modules]


def main(name: str, *modules: str) -> int | None:
    """Run the part until it is stopped; return its exit code."""
    django.setup()
    for module in ("evaluation.config.celery", *modules):
        import_module(module)
    from evaluation.running.hosting import site_parts

    if os.environ.get(IS_NICE) == "0":
        site_parts.NICENESS[name] = 0
    site_parts.preload()
    return site_parts.celery_part(name)(lambda: None)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
