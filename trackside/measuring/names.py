"""Names of measures: ``nDCG@10``, ``AP(rel=2)``, ``P.5,10``, ``ndcg_cut_10``, and those of other packages.

Each entry point in ``trackside.measures`` is a ``MeasureFamily``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, wraps
from typing import TYPE_CHECKING

import numpy as np

from trackside.arrays import Floats
from trackside.entry_points import MEASURES, PluginBroken, find_plugin, load_plugin, plugins
from trackside.errors import InputError
from trackside.measuring.families import ALIASES, ALL_TREC, BY_NAME, BY_TREC_NAME, FAMILIES, OFFICIAL, SET
from trackside.measuring.family import Cut, Measure, MeasureFamily, Values
from trackside.measuring.judged import JudgedRun

_NAME = re.compile(r"(?P<family>mAP@R|[A-Za-z0-9_]+?)(?:\((?P<options>[^()]*)\))?(?:@(?P<cutoff>[0-9.]+))?")
_IR_MEASURES_FORMS = (
    (re.compile(r"^NumRet(?=\(rel=)"), "NumRelRet"),
    (re.compile(r"^SetP\(relative=True,?"), "SetRelP("),
    (re.compile(r"^SetF\(beta="), "SetF(x="),
)
_LARGEST_CUTOFF = 10**9
_LARGEST_NUMBER = 1e100
# RBP's persistence is a probability, and ERR's highest grade an exponent of 2.
_OPTION_BOUNDS = {"p": (0.0, 1.0), "max": (1.0, 1000.0)}
_NICKNAMES = {"official": OFFICIAL, "all_trec": ALL_TREC, "set": SET}


class UnknownMeasure(InputError):
    """No measure has this name, or the measure does not take these options."""


def parse_measure(name: str) -> Measure:
    """The one measure of a name such as ``nDCG@10`` or ``ndcg_cut_10``.

    Raises UnknownMeasure, and PluginBroken for a measure of another package that cannot be used.
    """
    measures = parse_measures([name])
    if len(measures) > 1:
        raise UnknownMeasure(
            f"{name}: stands for {len(measures)} measures. Name one of them, such as {measures[0]}."
        )
    return measures[0]


def parse_measures(names: Iterable[str]) -> list[Measure]:
    """The measures of some names, each once, in the order asked for. Raises UnknownMeasure, PluginBroken.

    A name is in ir_measures' notation, trec_eval's with or without cutoffs (``P.5,10``, ``ndcg_cut_10``,
    ``recall``: its default cutoffs) or one of trec_eval's groups (official, set, all_trec).
    """
    measures: dict[Measure, None] = {}
    for name in names:
        for member in _NICKNAMES.get(name, (name,)):
            measures.update(dict.fromkeys(_trec_measures(member) or [_own_measure(member)]))
    return list(measures)


def _trec_measures(name: str) -> list[Measure]:
    """The measures of a trec_eval name; empty if it is not one."""
    root, _, parameters = name.partition(".")
    stem, _, tail = name.rpartition("_")
    if root not in BY_TREC_NAME and stem in BY_TREC_NAME and re.fullmatch(r"\d+(\.\d+)?", tail):
        root, parameters = stem, tail
    family = BY_TREC_NAME.get(root)
    if family is None:
        return []
    if root == family.trec_cut_name:
        texts = parameters.split(",") if parameters else family.default_cutoffs
        cutoffs = sorted(_cutoff(name, family, text) for text in texts)
        if len(set(cutoffs)) < len(cutoffs):  # as in trec_eval
            raise UnknownMeasure(f"{name}: the same cutoff twice. Name each once.")
        return [Measure(family, cutoff=cutoff) for cutoff in cutoffs]
    return [_with_trec_parameters(Measure(family), parameters, name)] if parameters else [Measure(family)]


def _with_trec_parameters(measure: Measure, parameters: str, name: str) -> Measure:
    """trec_eval's notation: ``set_F.2.0``, ``utility.1,-1,0,0``, ``ndcg.1=3,2=9``, ``11pt_avg.0.2,0.5``."""
    family = measure.family
    if family.has_points:
        return replace(_with_points(measure, parameters.split(","), name), trec_parameters=parameters)
    # The number of documents, N, is a flag of trec_eval, not a parameter.
    keys = [key for key in family.defaults if key != "N"]
    measure = replace(measure, trec_parameters=parameters)
    parts = parameters.split(",")
    if all("=" in part for part in parts):
        return _with_options(measure, [part.split("=", 1) for part in parts], name)
    if len(parts) == len(keys):
        return _with_options(measure, [list(pair) for pair in zip(keys, parts, strict=True)], name)
    raise UnknownMeasure(f"{name}: '{parameters}' are not parameters of {family.trec_name}.")


def _with_points(measure: Measure, texts: Sequence[str], name: str) -> Measure:
    points = tuple(number for number in map(_number, texts) if number is not None and 0 <= number <= 1)
    if len(points) < len(texts):
        raise UnknownMeasure(f"{name}: a recall point is a number from 0 to 1.")
    return replace(measure, points=points)


def _own_measure(name: str) -> Measure:
    text = name.strip()
    for pattern, replacement in _IR_MEASURES_FORMS:
        text = pattern.sub(replacement, text)
    match = _NAME.fullmatch(text)
    root = match["family"].lower() if match else ""
    family = BY_NAME.get(ALIASES.get(root, root)) or plugged_family(root)
    if match is None or family is None:
        raise UnknownMeasure(
            f"{name}: no such measure. Use one such as nDCG@10, AP(rel=2), RR, P@10 or bpref."
        )
    measure = Measure(family, cutoff=_own_cutoff(name, family, match["cutoff"]))
    options = [part.split("=", 1) for part in re.split(r"\s*,\s*", match["options"] or "") if part]
    return _with_options(measure, options, name)


def _own_cutoff(name: str, family: MeasureFamily, text: str | None) -> float | None:
    if text is not None:
        if family.cut is Cut.NONE:
            raise UnknownMeasure(f"{name}: {family.name} takes no cutoff. Leave out @{text}.")
        return _cutoff(name, family, text)
    if family.cut in (Cut.REQUIRED, Cut.FRACTION):
        example = f"{family.name}@{'0.5' if family.cut is Cut.FRACTION else '10'}"
        raise UnknownMeasure(f"{name}: {family.name} needs a cutoff, such as {example}.")
    return None


def _cutoff(name: str, family: MeasureFamily, text: str) -> float:
    value = _number(text)
    if value is None or not 0 <= value <= _LARGEST_CUTOFF:
        raise UnknownMeasure(f"{name}: '{text}' is not a cutoff. Write a number.")
    if family.cut is Cut.FRACTION:
        return value
    if value < 1 or value != int(value):
        raise UnknownMeasure(f"{name}: a cutoff is a whole number from 1 up, not {text}.")
    return value


def _with_options(measure: Measure, options: list[list[str]], name: str) -> Measure:
    for pair in options:
        key, value = pair[0].strip(), pair[-1].strip().strip("'\"")
        if key == "at" and measure.family.has_points:
            measure = _with_points(measure, value.split("/"), name)
        elif len(pair) == 2 and (changed := _with_option(measure, key, value)):
            measure = changed
        else:
            raise UnknownMeasure(f"{name}: {measure.family.name} does not take '{'='.join(pair)}'.")
    return measure


def _with_option(measure: Measure, key: str, value: str) -> Measure | None:
    family = measure.family
    if key == "judged_only":
        yes = {"yes": True, "true": True, "no": False, "false": False}.get(value.lower())
        return None if yes is None else replace(measure, is_judged_only=yes)
    if key == "dcg" and family.has_gains:
        exponential = {"exp": True, "exp-log2": True, "log2": False}.get(value)
        return None if exponential is None else replace(measure, is_exponential=exponential)
    if key == "rel" and family.has_level and re.fullmatch(r"\d+", value):
        return replace(measure, level=int(value))
    number = _number(value)
    if number is None:
        return None
    if key in family.defaults:
        low, high = _OPTION_BOUNDS.get(key, (-_LARGEST_NUMBER, _LARGEST_NUMBER))
        if not low <= number <= high:
            return None
        return replace(measure, options=tuple(sorted({**dict(measure.options), key: number}.items())))
    if family.has_gains and re.fullmatch(r"-?\d{1,18}", key):
        return replace(measure, gains=tuple(sorted({**dict(measure.gains), int(key): number}.items())))
    return None


def _number(text: str) -> float | None:
    """The number; None if it is malformed or so large that sums of gains would become infinite."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) <= _LARGEST_NUMBER else None


if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_PLUGIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


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
    if family.name != plugin.name or not _PLUGIN_NAME.fullmatch(plugin.name):
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
