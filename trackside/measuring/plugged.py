"""Measures of other packages: each entry point in ``trackside.measures`` is a ``MeasureFamily``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, wraps
from typing import TYPE_CHECKING

import numpy as np

from trackside.arrays import Floats
from trackside.entry_points import MEASURES, PluginBroken, find_plugin, load_plugin, plugins
from trackside.measuring.families import ALIASES, BY_NAME, BY_TREC_NAME, FAMILIES
from trackside.measuring.family import Measure, MeasureFamily, Values
from trackside.measuring.judged import JudgedRun

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def plugged_family(name: str) -> MeasureFamily | None:
    """Return the measure of that name, ignoring case, that another package adds; None if none does.

    Raises PluginBroken for one that cannot be used.
    """
    names = sorted({plugin.name for plugin in plugins(MEASURES) if plugin.name.lower() == name.lower()})
    plugin = find_plugin(MEASURES, names[0]) if names else None
    if plugin and len(names) > 1:
        raise PluginBroken(
            plugin, f"another one is called {names[1]}; names that differ in case only are equal."
        )
    return _family(plugin) if plugin else None


def all_families() -> tuple[MeasureFamily, ...]:
    """Return all usable measures: built-in ones, then those of other packages by name."""
    families: list[MeasureFamily] = []
    for plugin in plugins(MEASURES):
        try:
            family = plugged_family(plugin.name)
        except PluginBroken:
            continue  # see `broken_families`
        families += [family] if family else []
    return (*FAMILIES, *families)


def broken_families() -> Iterator[str]:
    """Return why measures of other packages cannot be used: one or two sentences each."""
    for plugin in plugins(MEASURES):
        try:
            plugged_family(plugin.name)
        except PluginBroken as error:
            yield str(error)


@cache
def _family(plugin: EntryPoint) -> MeasureFamily:
    family = load_plugin(plugin)
    if not isinstance(family, MeasureFamily):
        raise PluginBroken(plugin, f"it is a {type(family).__name__}, not a trackside.plugins.MeasureFamily.")
    if family.name != plugin.name or not _NAME.fullmatch(plugin.name):
        raise PluginBroken(
            plugin, f"its family is called {family.name}. Both names are the same letters, digits and _."
        )
    if plugin.name.lower() in {*BY_NAME, *ALIASES} or plugin.name in BY_TREC_NAME:
        raise PluginBroken(plugin, "Trackside has a measure of that name, and uses its own.")
    if family.trec_name or family.trec_cut_name:
        raise PluginBroken(plugin, "trec_name and trec_cut_name are for measures of trec_eval.")
    return replace(family, values=_checked(plugin, family.values))


def _checked(plugin: EntryPoint, values: Values) -> Values:
    """Return the function with each result checked and copied."""

    @wraps(values)
    def checked(judged: JudgedRun, measure: Measure) -> Floats:
        try:
            results = np.array(values(judged, measure), dtype=np.float64)
        except Exception as error:
            raise PluginBroken(plugin, f"it failed ({type(error).__name__}: {error}).") from error
        if results.shape != (judged.topic_count,):
            shape = f"{results.shape} where ({judged.topic_count},) is needed"
            raise PluginBroken(plugin, f"its values have the shape {shape}, not one value per topic.")
        least, most = measure.bounds
        stray = results[(results < least) | (results > most) | np.isinf(results)]
        if stray.size:
            raise PluginBroken(plugin, f"it gave {stray[0]:g}, and values are from {least:g} to {most:g}.")
        return results

    return checked
