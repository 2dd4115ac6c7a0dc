"""Processors of vision-language models that work with Pillow alone, without torchvision."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trackside.errors import InputError

ARGUMENTS = "_get_arguments_from_pretrained"  # of transformers: loads the parts of a processor
FILES = ("processor_config.json", "preprocessor_config.json", "tokenizer_config.json")


def load_processor(model: str, source: Mapping[str, Any]) -> Any:
    """Return the model's processor with the image processor of Pillow; its tokenizer pads on the left.

    transformers loads a processor of videos with every model that reads them, and that needs torchvision:
    such a processor is built from its own class without it. Raises llava-settings-refused for a model without
    a chat template.
    """
    from transformers import AutoProcessor

    try:
        # Pillow resizes equally on every machine, with or without torchvision.
        processor = AutoProcessor.from_pretrained(model, backend="pil", **source)
    except (ImportError, ValueError) as error:
        if "ideo" not in str(error) and "orchvision" not in str(error):
            raise
        processor = _without_videos(_class_name(model, source)).from_pretrained(
            model, backend="pil", **source
        )
    if not getattr(processor, "chat_template", None):
        raise InputError(
            f"{model} has no chat template: {type(processor).__name__.removesuffix('Processor')} was not "
            "trained to follow instructions, so its answers are no verdicts. Choose a model of instructions.",
            code="llava-settings-refused",
        )
    processor.tokenizer.padding_side = "left"  # all answers begin at the end of the longest prompt
    return processor


def _names() -> dict[str, str]:
    """Return the names of transformers' processors by kind of model."""
    names: dict[str, str] = import_module("transformers.models.auto.processing_auto").PROCESSOR_MAPPING_NAMES
    return names


def _class_name(model: str, source: Mapping[str, Any]) -> str:
    """Return the processor's class as the checkpoint names it, else that of its architecture."""
    from transformers import AutoConfig
    from transformers.utils.hub import cached_file

    for name in FILES:
        file = cached_file(model, name, _raise_exceptions_for_missing_entries=False, **source)
        if file and (named := json.loads(Path(file).read_text()).get("processor_class")):
            return str(named)
    return str(_names()[AutoConfig.from_pretrained(model, **source).model_type])


class _NoVideos:
    """Stands for the processor of videos: its settings, which some processors read, are None."""

    def __getattr__(self, _: str) -> None:
        return None


def _without_videos(name: str) -> Any:
    """Return a processor class that loads no processor of videos."""
    base = _processor_class(name)
    names: list[str] = base.get_attributes()

    loaded = [attribute for attribute in names if attribute != "video_processor"]

    def arguments(cls: Any, *args: Any, **options: Any) -> list[Any]:
        load: Any = getattr(base, ARGUMENTS)
        found = load.__func__(cls, *args, **options)
        parts = dict(zip(loaded, found, strict=True))
        return [parts.get(attribute) for attribute in names]

    attributes = {
        "video_processor": _NoVideos(),
        "get_attributes": classmethod(lambda _: loaded),
        ARGUMENTS: classmethod(arguments),
    }
    return type(name, (base,), attributes)  # transformers tells kinds of processors apart by the name


def _processor_class(name: str) -> Any:
    """Return a processor class from its own module: the package hides those that import torchvision."""
    from transformers.models.auto.configuration_auto import model_type_to_module_name

    for kind, processor in _names().items():
        folder = f"transformers.models.{(module := model_type_to_module_name(kind))}"
        path = f"{folder}.processing_{module}"
        if processor != name or find_spec(path) is None:
            continue
        try:
            code: Any = import_module(path)
        except ModuleNotFoundError:  # Pixtral's asks the image processor of torchvision for one function
            own = f"{folder}.image_processing_{module}"
            sys.modules[own] = import_module(f"{folder}.image_processing_pil_{module}")
            code = import_module(path)
        if getattr(code, "num2words", True) is None:
            code.num2words = str  # SmolVLM's spells numbers for videos only
        return getattr(code, name)
    raise InputError(f"transformers has no processor {name}.", code="llava-settings-refused")
