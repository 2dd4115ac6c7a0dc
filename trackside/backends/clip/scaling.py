"""The work of an image processor in two steps: scale bytes on a core, normalise them on the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    import torch


class Scaling:
    """The steps of transformers' image processor, with equal results.

    Pillow scales and crops without the GIL, so threads decode in parallel; the processor itself copies the
    whole picture twice while it holds the GIL. Bytes need a quarter of the memory and of the copy to a GPU.
    """

    def __init__(self, processor: Any, device: torch.device, dtype: torch.dtype) -> None:
        """``device`` and ``dtype`` are the model's."""
        self._processor = processor
        size = processor.size
        self.shorter_side: int = size.get("shortest_edge") or min(size["height"], size["width"])
        # The model's input for each level of each channel: (3, 256).
        ramp = Image.fromarray(np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2))
        levels = processor([ramp], return_tensors="pt", do_resize=False, do_center_crop=False)
        self._levels = levels["pixel_values"][0].flatten(1).to(device, dtype)

    def scaled(self, picture: Image.Image) -> torch.Tensor:
        """Scale and crop an RGB picture: bytes (1, 3, height, width)."""
        import torch

        if self._processor.do_resize:
            target = _scaled_size(picture.size, self._processor.size)
            picture = picture.resize(target, self._processor.resample)
        if self._processor.do_center_crop:
            width, height = self._processor.crop_size["width"], self._processor.crop_size["height"]
            left, top = (picture.width - width) // 2, (picture.height - height) // 2
            picture = picture.crop((left, top, left + width, top + height))
        return torch.from_numpy(np.array(picture)).permute(2, 0, 1)[None]

    def normalized(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return the model's input for scaled pictures (n, 3, height, width) on the model's device."""
        import torch

        channels = zip(self._levels, pixels.unbind(1), strict=True)
        return torch.stack([levels[channel.int()] for levels, channel in channels], dim=1)

    def is_exact(self) -> bool:
        """Return whether the processor itself returns the same for a picture of noise."""
        noise = np.random.default_rng(0).integers(0, 256, (41, 90, 3), dtype=np.uint8)
        picture = Image.fromarray(noise)
        expected = self._processor([picture], return_tensors="pt")["pixel_values"]
        tensor = self.normalized(self.scaled(picture).to(self._levels.device)).cpu()
        return bool(tensor.equal(expected.to(tensor.dtype)))


def _scaled_size(size: tuple[int, int], target: Mapping[str, int]) -> tuple[int, int]:
    """Return width and height after scaling, as transformers computes them."""
    if edge := target.get("shortest_edge"):
        short, long = sorted(size)
        long_edge = int(edge * long / short)
        return (edge, long_edge) if size[0] <= size[1] else (long_edge, edge)
    return target["width"], target["height"]
