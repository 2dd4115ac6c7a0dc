"""Vision-language models that answer in text, run in this process by transformers."""

from trackside.backends.llava.generator import Llava

__all__ = ["Llava"]
