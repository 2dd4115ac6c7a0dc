"""Trackside as a library: read runs and qrels, check, evaluate, compare, pool, fuse, report, and plan topics.

Every function corresponds to the command of its name (``trackside score`` is ``evaluate``). It takes runs and
qrels in any of these forms: a path (plain, .gz, .zst or .bz2), bytes or a binary stream of a TREC file; a
dictionary like pytrec_eval's; a frame of polars or pandas; a Run or Qrels of ranx; or what ``read_run`` and
``read_qrels`` return.

Modules are loaded when the first name is used. Invalid input raises ``InputError``. See docs/library.md.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trackside.library.public import *  # noqa: F403 - its __all__ is ours
    from trackside.library.public import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        """Load everything on first use: importing polars and numpy takes longer than many programs run."""
        if name.startswith("__") and name not in ("__all__", "__version__"):
            raise AttributeError(name)  # what Python itself asks a package for
        if name == "__version__":
            from trackside.code_version import installed_version  # without numpy

            return installed_version()
        from trackside.library import public  # imported here, so that `import trackside` loads nothing

        if name != "__all__" and name not in public.__all__:
            raise AttributeError(f"module 'trackside' has no attribute '{name}'")
        return getattr(public, name)

    def __dir__() -> list[str]:
        return __getattr__("__all__")
