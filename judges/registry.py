"""The backends by name, and the one that this worker has in memory."""

from __future__ import annotations

import pkgutil
from threading import Lock

from evaluation.core.errors import InputError
from judges.core.judge import Encoder
from judges.core.settings import Settings

BACKENDS = {
    "clip": "judges.backends.clip:ClipEncoder",
}


class BackendUnknown(InputError):
    """A judge names a backend that is not registered."""


def encoder_class(backend: str) -> type[Encoder]:
    """The backend of that name; importing it loads no model. BackendUnknown when there is none."""
    if backend not in BACKENDS:
        raise BackendUnknown(
            f'There is no backend "{backend}". Choose one of: {", ".join(sorted(BACKENDS))}.'
        )
    found: type[Encoder] = pkgutil.resolve_name(BACKENDS[backend])
    return found


_lock = Lock()
_loaded: dict[tuple[str, str], Encoder] = {}


def loaded_encoder(settings: Settings) -> Encoder:
    """The encoder of these settings, loaded on first use and kept until another one is asked for.

    A worker keeps one model: two large ones do not fit into the memory of one card.
    """
    key = (settings.encoder_sha256, settings.long_text)
    with _lock:
        if key not in _loaded:
            _loaded.clear()
            _loaded[key] = encoder_class(settings.backend)(settings)
        return _loaded[key]
