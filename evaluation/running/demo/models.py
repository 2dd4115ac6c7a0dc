"""The folders of the demo's tiny CLIP and tiny LLaVA, which `python -m tools.tiny_models` trains."""

from pathlib import Path

WEIGHTS = Path(__file__).parent / "weights"
CLIP, LLAVA = WEIGHTS / "clip", WEIGHTS / "llava"
