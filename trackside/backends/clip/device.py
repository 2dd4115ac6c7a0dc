"""The device of an encoder: its precision, and how many inputs it computes at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trackside.judging.judge import Vector

if TYPE_CHECKING:
    import torch

    Tensors = Mapping[str, torch.Tensor]
    Compute = Callable[[Tensors], torch.Tensor]

HALF = "half"
# Inputs at once on each core of a CPU. Cores compute whole parts in parallel; cores that share each matrix
# product would wait for the slowest of them about fifty times a batch.
CPU_ROWS = 8
PARTS = 4
MOST_ROWS = 128  # inputs at once on a GPU; more are hardly faster
MEMORY_SHARE = 0.8  # of a GPU's free memory
PROBED = 8  # inputs whose memory is measured


class Device:
    """Computes batches in parts of ``rows`` inputs, on the GPU if there is one, else on the CPU.

    A short part is padded with copies, so that a vector does not depend on the number of inputs beside it.
    torch is imported when a model is loaded, so that a web process does not load it.
    """

    def __init__(self, rows: int = CPU_ROWS) -> None:
        """``rows`` is the size of a part on a CPU; ``fit`` sets it on a GPU."""
        import torch

        self.is_gpu = torch.cuda.is_available()
        self.device = torch.device("cuda" if self.is_gpu else "cpu")
        self.rows = rows
        self._core_count = torch.get_num_threads()
        part_count = 1 if self.is_gpu else min(PARTS, self._core_count)
        self._parts_at_once = ThreadPoolExecutor(
            part_count, initializer=partial(torch.set_num_threads, self._core_count // part_count)
        )

    @property
    def decoder_count(self) -> int:
        """Threads that decode images: all cores beside a GPU, half of them beside a model on the CPU."""
        cores = os.cpu_count() or 1
        return cores if self.is_gpu else min(8, max(1, cores // 2))

    def dtype(self, name: str) -> torch.dtype:
        """Return torch's type; ``half`` is float16 on a GPU, on a CPU bfloat16 if it computes fast in it."""
        import torch

        if name != HALF:
            dtype: torch.dtype = getattr(torch, name)
            return dtype
        if self.is_gpu:
            return torch.float16
        # Older versions of torch lack this function.
        flags: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
        return torch.bfloat16 if flags.get("avx512_bf16") or flags.get("amx_bf16") else torch.float32

    def fit(self, *probes: tuple[Compute, Tensors]) -> None:
        """Set the rows of a GPU by its free memory and the memory of an input of the largest probe."""
        import torch

        if not self.is_gpu:
            return
        self.rows = PROBED
        allocated = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        for compute, tensors in probes:
            self.vectors(compute, tensors)
        peak = max(1, torch.cuda.max_memory_allocated() - allocated)
        free, _ = torch.cuda.mem_get_info()
        self.rows = rows_that_fit(free, peak / PROBED)

    def vectors(self, compute: Compute, tensors: Tensors) -> list[Vector]:
        """Return one vector per row. If a GPU runs out of memory, halve the rows and compute again."""
        import torch

        while True:
            try:
                return self._vectors(compute, tensors)
            except torch.OutOfMemoryError:
                if self.rows == 1:
                    raise
            # After the except block: the error holds the tensors of the part that failed.
            self.rows //= 2
            torch.cuda.empty_cache()

    def _vectors(self, compute: Compute, tensors: Tensors) -> list[Vector]:
        import torch

        count = len(next(iter(tensors.values())))
        # Pad a short part with copies of the last row.
        indexes = torch.arange(-(-count // self.rows) * self.rows).clamp(max=count - 1).split(self.rows)
        parts = [{name: tensor[rows] for name, tensor in tensors.items()} for rows in indexes]
        try:
            batches = list(self._parts_at_once.map(partial(self._part, compute), parts))
        finally:
            # set_num_threads in a thread also changes torch's default for threads that start later.
            torch.set_num_threads(self._core_count)
        return [vector for vectors in batches for vector in vectors][:count]

    def _part(self, compute: Compute, part: Tensors) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            vectors: NDArray[np.float32] = (
                compute({name: self._moved(tensor) for name, tensor in part.items()}).float().cpu().numpy()
            )
        return vectors

    def _moved(self, tensor: torch.Tensor) -> torch.Tensor:
        """Copy to a GPU from page-locked memory, so that this thread does not wait for the copy."""
        return tensor.pin_memory().to(self.device, non_blocking=True) if self.is_gpu else tensor


def rows_that_fit(free: float, row_bytes: float) -> int:
    """Return how many inputs fit into the free bytes: a power of two, at most MOST_ROWS, at least 1."""
    rows = MOST_ROWS
    while rows > 1 and rows * row_bytes > MEMORY_SHARE * free:
        rows //= 2
    return rows
