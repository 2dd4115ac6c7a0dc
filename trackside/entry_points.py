"""Entry points: additions to Trackside by other installed packages, loaded on first use.

A package names its additions in its own pyproject.toml, under a group such as ``trackside.measures``. A
broken one raises PluginBroken where it is used; everything else still works.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from trackside.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint  # at run time a fiftieth of a second of each command

MEASURES = "trackside.measures"
JUDGES = "trackside.judges"


class PluginBroken(InputError):
    """An entry point of another package cannot be loaded, or does not fit its group."""

    def __init__(self, plugin: EntryPoint, fault: str) -> None:
        name = f"{plugin.name} ({plugin.value}) of {_package(plugin)} in {plugin.group}"
        super().__init__(f"entry point {name}: {fault} Update the package, or uninstall it.")


@cache
def plugins(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, by name and package. Read once a process: install, then restart."""
    from importlib.metadata import entry_points  # imports 30 modules, which built-in measures do not need

    return tuple(sorted(entry_points(group=group), key=lambda plugin: (plugin.name, _package(plugin))))


def find_plugin(group: str, name: str) -> EntryPoint | None:
    """Return the entry point of that exact name; None if no package has one. Raises PluginBroken for two."""
    matches = [plugin for plugin in plugins(group) if plugin.name == name]
    if len(matches) > 1:
        raise PluginBroken(matches[0], f"{_package(matches[1])} has one of the same name.")
    return matches[0] if matches else None


def load_plugin(plugin: EntryPoint) -> Any:
    """Return the object that the entry point names. Any error of its package raises PluginBroken."""
    try:
        return plugin.load()
    except (Exception, SystemExit) as error:
        raise PluginBroken(plugin, f"it cannot be loaded ({type(error).__name__}: {error}).") from error


def plugin_versions(group: str) -> list[str]:
    """The packages of a group's entry points with their versions, such as "lab-measures 1.2", each once."""
    return sorted({_package(plugin) for plugin in plugins(group)})


def _package(plugin: EntryPoint) -> str:
    return f"{plugin.dist.name} {plugin.dist.version}" if plugin.dist else "an unknown package"
