"""The demo's models: a tiny CLIP and LLaVA of its own, and an encoder of real pictures from packages."""

from importlib import import_module
from pathlib import Path

from trackside.errors import InputError

WEIGHTS = Path(__file__).parent / "weights"
CLIP, LLAVA = WEIGHTS / "clip", WEIGHTS / "llava"
"""Their folders; `python -m tools.tiny_models` trains them."""
PHOTOS = "photos"
"""The judge's backend that tools/photo_judge adds."""


def photo_model() -> str:
    """Return the model of the encoder of real pictures. InputError if its package is not installed."""
    try:
        folder: str = import_module("photo_judge").minilm_folder()
    except ModuleNotFoundError as error:
        raise InputError(
            f"The judge of real pictures needs {error.name}: pip install ./tools/photo_judge, or make demo "
            "WORLD=photos.",
            code="photo-judge-missing",
        ) from None
    return folder
