"""The backends by name, and the one that this worker has in memory."""

from __future__ import annotations

import pkgutil
from threading import Lock
from typing import cast

from evaluation.core.errors import InputError
from judges.core.judge import Backend, Encoder, Generator, Submitter
from judges.core.settings import Settings

BACKENDS = {
    "clip": "judges.backends.clip:ClipEncoder",
    "ensemble": "judges.backends.ensemble:Ensemble",
    "imported": "judges.backends.imported:Imported",
    "llava": "judges.backends.llava:Llava",
    "openai_batch": "judges.backends.openai_batch:OpenAIBatch",
    "openai_chat": "judges.backends.openai_chat:OpenAIChat",
}


class BackendUnknown(InputError):
    """A judge names a backend that is not registered."""


def backend_class(backend: str) -> type[Backend]:
    """The backend of that name; importing it loads no model. BackendUnknown when there is none."""
    if backend not in BACKENDS:
        raise BackendUnknown(
            f'There is no backend "{backend}". Choose one of: {", ".join(sorted(BACKENDS))}.'
        )
    found: type[Backend] = pkgutil.resolve_name(BACKENDS[backend])
    return found


def encoder_class(backend: str) -> type[Encoder]:
    """The backend of that name, whose unit is one text or image."""
    return cast("type[Encoder]", backend_class(backend))


def submitter(settings: Settings) -> Submitter:
    """The submitter of these settings; it holds no model, so each call makes one."""
    return cast("type[Submitter]", backend_class(settings.backend))(settings)


_lock = Lock()
_loaded: dict[tuple[str, ...], Encoder | Generator] = {}


def loaded_encoder(settings: Settings) -> Encoder:
    """The encoder of these settings, loaded on first use and kept until another one is asked for.

    A worker keeps one model: two large ones do not fit into the memory of one card.
    """
    return cast("Encoder", _kept((settings.encoder_sha256,), settings))


def loaded_generator(settings: Settings) -> Generator:
    """The generator of these settings, kept as encoders are."""
    return cast("Generator", _kept((settings.identity_sha256,), settings))


def _kept(key: tuple[str, ...], settings: Settings) -> Encoder | Generator:
    with _lock:
        if key not in _loaded:
            _loaded.clear()
            made = cast("type[Encoder | Generator]", backend_class(settings.backend))
            _loaded[key] = made(settings)
        return _loaded[key]
