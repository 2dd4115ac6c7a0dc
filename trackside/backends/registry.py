"""The backends by name, built-in or from other packages, and the model that this worker has loaded.

A package adds a backend by an entry point in ``trackside.judges`` with the path of a class.
"""

import pkgutil
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from threading import Lock
from typing import cast

from trackside.entry_points import JUDGES, PluginBroken, find_plugin, load_plugin, plugins
from trackside.errors import InputError, first_line
from trackside.judging.judge import EVERY_KIND, Backend, Encoder, Generator, Submitter, Unit
from trackside.judging.settings import Settings

BACKENDS = {
    "clip": "trackside.backends.clip.encoder:ClipEncoder",
    "ensemble": "trackside.backends.imported:Ensemble",
    "imported": "trackside.backends.imported:Imported",
    "llava": "trackside.backends.llava:Llava",
    "openai_batch": "trackside.backends.openai_batch:OpenAIBatch",
    "openai_chat": "trackside.backends.openai_chat:OpenAIChat",
    "sentences": "trackside.backends.clip.sentences:SentenceEncoder",
    "score_endpoint": "trackside.backends.score_endpoint:ScoreEndpoint",
}


def backend_names() -> list[str]:
    """Return the names of all backends: built-in ones, then those of other packages, which are not loaded."""
    return list(dict.fromkeys([*BACKENDS, *(plugin.name for plugin in plugins(JUDGES))]))


def backend_class(backend: str) -> type[Backend]:
    """Return the backend of that name; importing it loads no model.

    Raises backend-unknown if there is none, PluginBroken if that of another package cannot be used.
    """
    if backend in BACKENDS:
        built_in: type[Backend] = pkgutil.resolve_name(BACKENDS[backend])
        return built_in
    if plugin := find_plugin(JUDGES, backend):
        return _plugged_class(plugin)
    raise InputError(
        f'There is no backend "{backend}". Choose one of: {", ".join(sorted(backend_names()))}. One that is '
        "missing may be in a package that is not installed.",
        code="backend-unknown",
    )


def broken_backends() -> Iterator[str]:
    """Return why backends of other packages cannot be used: one or two sentences each."""
    for plugin in plugins(JUDGES):
        try:
            _plugged_class(plugin)
        except PluginBroken as error:
            yield str(error)


# Attributes that a backend of each unit must have. Imported scores are added on another page.
_PROTOCOLS: dict[Unit, type] = {Unit.INPUT: Encoder, Unit.PAIR: Generator, Unit.BATCH: Submitter}
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")


def _plugged_class(plugin: EntryPoint) -> type[Backend]:
    if plugin.name in BACKENDS:
        raise PluginBroken(plugin, "Trackside has a backend of that name, and uses its own.")
    if not _NAME.fullmatch(plugin.name):
        raise PluginBroken(plugin, "its name must be a letter and then up to 29 of a-z, 0-9 and _.")
    backend = load_plugin(plugin)
    unit = getattr(backend, "unit", None)
    if not (isinstance(backend, type) and isinstance(unit, Unit) and unit in _PROTOCOLS):
        raise PluginBroken(plugin, "it is not a class with a unit of Unit.INPUT, Unit.PAIR or Unit.BATCH.")
    names = {*Backend.__annotations__, *(name for name in dir(_PROTOCOLS[unit]) if name[0] != "_")}
    if missing := sorted(name for name in names if not hasattr(backend, name)):
        raise PluginBroken(plugin, f"the class lacks {', '.join(missing)}.")
    kinds = cast("type[Backend]", backend).task_kinds
    if not (isinstance(kinds, frozenset) and kinds and kinds <= EVERY_KIND):
        raise PluginBroken(
            plugin, f"task_kinds must be a frozenset of some of {', '.join(sorted(EVERY_KIND))}."
        )
    return backend


def encoder_class(backend: str) -> type[Encoder]:
    """Return the backend class; its unit must be one text or image."""
    return cast("type[Encoder]", backend_class(backend))


def submitter(settings: Settings) -> Submitter:
    """Create the submitter of these settings; it has no model, so it is not cached."""
    return cast("type[Submitter]", backend_class(settings.backend))(settings)


_lock = Lock()
_loaded: dict[tuple[str, ...], Encoder | Generator] = {}


def loaded_encoder(settings: Settings) -> Encoder:
    """Return the encoder of these settings, loaded on first use and cached until another one is needed.

    A worker caches one model: two large ones do not fit into the memory of one GPU.
    """
    return cast("Encoder", _cached((settings.encoder_sha256,), settings))


def loaded_generator(settings: Settings) -> Generator:
    """Return the generator of these settings, cached like encoders."""
    return cast("Generator", _cached((settings.identity_sha256,), settings))


def _cached(key: tuple[str, ...], settings: Settings) -> Encoder | Generator:
    with _lock:
        if key not in _loaded:
            _loaded.clear()
            backend = cast("type[Encoder | Generator]", backend_class(settings.backend))
            try:
                _loaded[key] = backend(settings)
            except InputError:
                raise
            except Exception as error:  # of model libraries: any
                raise InputError(
                    f"The model {settings.model} cannot be loaded. {first_line(error)}", code="model-refused"
                ) from error
        return _loaded[key]
