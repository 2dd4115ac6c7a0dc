"""Vision-language models that answer in text, run in this process by transformers."""

from judges.backends.llava.generator import Llava

__all__ = ["Llava"]
