"""Encoders on a GPU, or on the cores where there is none, beside the matrix products of the same device.

The bound is the time of the encoder's floating-point operations at the rate of large matrix products in the
same number format, measured in the same run. A GPU's times are by the clock, those of cores are seconds of
processor.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from tests.benchmarks.bench_clip import SHAPE, photograph, save_model
from tests.benchmarks.measuring import Row, medians

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import torch

    from judges.backends.clip.encoder import ClipEncoder

SHARE = 0.6  # of the bound
SIDES = {True: 8192, False: 1024}  # of the matrices on a GPU, and on cores
WORDS = (5, 14, 30, 74)  # of one token each; with start and end token the last is all that the model reads
PARTS = (1, 2, 4)  # of a device's rows: the numbers of images whose growth is measured
PHOTOGRAPHS = 32
CLOSE = {"float16": 0.003, "bfloat16": 0.02, "float32": 0.00001}  # as docs/judges.md says


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Shares of the bound in float32 and in half precision, the error of the latter, growth, and decoding."""
    from judges.backends.clip.encoder import ClipEncoder
    from trackside.judging.settings import Settings

    settings = Settings(backend="clip", revision=0, model=str(save_model(folder)), model_revision="")
    exact, half = (
        ClipEncoder(ClipEncoder.pinned(replace(settings, dtype=dtype))) for dtype in ("float32", "half")
    )
    yield from _shares(exact)
    yield from _shares(half)
    yield _error(exact, half)
    yield _growth(exact)
    yield _decoding(exact)


def _shares(encoder: ClipEncoder) -> Iterator[Row]:
    """Images, then texts of each length."""
    count = encoder.batch_size
    images = _drawn(count)
    yield _share(encoder, "images", partial(encoder.encode_images, images), count * _flops(encoder, 0))
    for words in WORDS:
        texts = ["q " * words] * count
        operations = count * _flops(encoder, words + 2)
        yield _share(encoder, f"texts of {words} words", partial(encoder.encode_texts, texts), operations)


def _share(encoder: ClipEncoder, what: str, task: Callable[[], object], operations: float) -> Row:
    import torch

    dtype, is_gpu = encoder._model.dtype, encoder._device.is_gpu
    side = SIDES[is_gpu]
    matrix = torch.ones(side, side, dtype=dtype, device=encoder._device.device)
    tasks = {"task": task, "product": lambda: (matrix @ matrix)[0, 0].item()}
    taken = medians(tasks, clock=time.perf_counter if is_gpu else time.process_time)
    peak = 2 * side**3 / taken["product"]
    share = operations / peak / taken["task"]
    rate = encoder.batch_size / taken["task"]
    place = torch.cuda.get_device_name() if is_gpu else "a core"
    beside = f"{rate:,.0f} a second on {place}; products {peak / 1e9:,.0f} GFLOP/s; {SHAPE}"
    name = str(dtype).removeprefix("torch.")
    return Row(f"{what}, {name}: share of the bound", f"{share:.2f}", f">= {SHARE}", beside, share >= SHARE)


def _flops(encoder: ClipEncoder, tokens: int) -> float:
    """Operations of one image, or of one text of so many tokens."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    with torch.inference_mode(), FlopCounterMode(display=False) as counted:
        if tokens:
            shown = torch.ones(1, tokens, dtype=torch.long, device=encoder._device.device)
            encoder._text_vectors({"input_ids": shown})
        else:
            encoder._image_vectors({"pixels": _drawn(1)[0].to(encoder._device.device)})
    return float(counted.get_total_flops())


def _drawn(count: int) -> list[torch.Tensor]:
    import torch

    dice = np.random.default_rng(0)
    return [torch.from_numpy(dice.integers(0, 256, (1, 3, 224, 224), dtype=np.uint8)) for _ in range(count)]


def _error(exact: ClipEncoder, half: ClipEncoder) -> Row:
    """The furthest that half precision moves a cosine."""
    images, texts = _photographs(exact), ["q " * words for words in WORDS]
    cosines = [np.stack(each.encode_texts(texts)) @ np.stack(each.encode_images(images)).T
               for each in (exact, half)]  # fmt: skip
    furthest = float(np.abs(cosines[0] - cosines[1]).max())
    name = str(half._model.dtype).removeprefix("torch.")
    return Row(
        f"half ({name}): the furthest that a cosine is from float32's",
        f"{furthest:.5f}",
        f"<= {CLOSE[name]:g}",
        f"{len(images)} drawn photographs, {len(texts)} texts",
        furthest <= CLOSE[name],
    )


def _photographs(encoder: ClipEncoder) -> list[torch.Tensor]:
    prepared = [encoder.prepare_image(photograph(seed, 448, 336)) for seed in range(PHOTOGRAPHS)]
    return cast("list[torch.Tensor]", prepared)


def _growth(encoder: ClipEncoder) -> Row:
    """Three numbers of images."""
    sizes = [parts * encoder._device.rows for parts in PARTS]
    images = _drawn(max(sizes))
    clock = time.perf_counter if encoder._device.is_gpu else time.process_time
    tasks = {str(size): partial(encoder.encode_images, images[:size]) for size in sizes}
    taken = medians(tasks, clock=clock)
    return Row.growth("images, float32", {size: taken[str(size)] for size in sizes}, 1.1)


def _decoding(encoder: ClipEncoder) -> Row:
    """Seconds of processor of one image, and what the decoding threads make of them by the clock."""
    from trackside.judging.ahead import ahead

    contents = [photograph(seed, 448, 336) for seed in range(PHOTOGRAPHS)]
    threads = encoder.decoder_count

    def decode() -> None:
        tasks = (partial(encoder.prepare_image, each) for each in contents)
        for _ in ahead(tasks, threads=threads, most=2 * PHOTOGRAPHS):
            pass

    cpu = medians({"decode": decode}, clock=time.process_time)["decode"] / PHOTOGRAPHS
    wall = medians({"decode": decode})["decode"] / PHOTOGRAPHS
    beside = f"{1 / wall:,.0f} a second by {threads} threads; {1000 * cpu:.1f} ms of processor each"
    return Row("336 px copies decoded and scaled", f"{1000 * wall:.1f} ms each", "", beside)
