"""`python -m tests.site_part NAME MODULE...`: import modules, then run a part of Celery as `up` does."""

import sys
from importlib import import_module

import django


def command(name: str, *modules: str) -> list[str]:
    """The command line of this module."""
    return [sys.executable, "-m", __name__, name, *modules]


def main(name: str, *modules: str) -> int | None:
    """Run the part until it is stopped; return its exit code."""
    django.setup()
    for module in ("evaluation.config.celery", *modules):
        import_module(module)
    from evaluation.running.hosting import site_parts

    site_parts.preload()
    return site_parts.celery_part(name)(lambda: None)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
