"""Rows, precision and copies of a device. The GPU is a CPU with a simulated memory: no test needs a GPU."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
import torch

from trackside.backends.clip.device import CPU_ROWS, MOST_ROWS, PROBED, Device, rows_that_fit

pytestmark = pytest.mark.whole

Tensors = Mapping[str, torch.Tensor]
ROWS = {"rows": torch.arange(20.0).reshape(10, 2)}


@dataclass
class FakeGpu:
    """Runs on the CPU; a part of more than ``room`` rows runs out of memory."""

    room: int
    free: int = 1 << 30
    row_bytes: int = 1 << 20
    sizes: list[int] = field(default_factory=list)
    peak: int = 0

    def compute(self, part: Tensors) -> torch.Tensor:
        rows = part["rows"]
        self.sizes.append(len(rows))
        self.peak = max(self.peak, 1000 + len(rows) * self.row_bytes)
        if len(rows) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return rows * 2


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Device, FakeGpu]]:
    def made(room: int, free: int = 1 << 30) -> tuple[Device, FakeGpu]:
        fake = FakeGpu(room, free)
        monkeypatch.setattr(torch.cuda, "memory_allocated", lambda: 1000)
        monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda: None)
        monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: fake.peak)
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (fake.free, 2 * fake.free))
        monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
        monkeypatch.setattr(torch.Tensor, "pin_memory", lambda tensor: tensor)
        with monkeypatch.context() as patch:
            patch.setattr(torch.cuda, "is_available", lambda: True)
            device = Device()
        device.device = torch.device("cpu")
        return device, fake

    return made


@pytest.mark.parametrize(
    ("free", "taken", "rows"),
    [
        (1000, 1, MOST_ROWS),
        (1000, 12.5, 64),  # 64 of 12.5 bytes are 800, the share of 1,000 that is used
        (1000, 12.6, 32),
        (1000, 5000, 1),
        (0, 1, 1),
    ],
)
def test_rows_that_fit_use_a_share_of_the_memory(free: int, taken: float, rows: int) -> None:
    assert rows_that_fit(free, taken) == rows


def test_gpu_takes_as_many_rows_as_its_memory_holds(gpu: Callable[..., tuple[Device, FakeGpu]]) -> None:
    device, fake = gpu(room=99, free=20 << 20)

    device.fit((fake.compute, {"rows": torch.ones(PROBED, 2)}))

    assert fake.sizes == [PROBED]
    assert device.rows == 16  # 0.8 of 20 MB, 1 MB a row


def test_gpu_halves_its_rows_when_memory_runs_out(gpu: Callable[..., tuple[Device, FakeGpu]]) -> None:
    device, fake = gpu(room=3)
    device.rows = 8

    vectors = device.vectors(fake.compute, ROWS)

    np.testing.assert_array_equal(np.stack(vectors), ROWS["rows"].numpy() * 2)
    assert sorted(fake.sizes, reverse=True) == fake.sizes  # the next part may begin before a failure is seen
    assert set(fake.sizes) == {8, 4, 2}
    assert device.rows == 2  # and stays so
    fake.room = 0
    with pytest.raises(torch.OutOfMemoryError):
        device.vectors(fake.compute, ROWS)
    assert device.rows == 1


def test_gpu_copies_from_pinned_memory_without_waiting(
    gpu: Callable[..., tuple[Device, FakeGpu]], monkeypatch: pytest.MonkeyPatch
) -> None:
    device, fake = gpu(room=99)
    calls: list[object] = []

    def pinned(tensor: torch.Tensor) -> torch.Tensor:
        calls.append("pinned")
        return tensor

    monkeypatch.setattr(torch.Tensor, "pin_memory", pinned)
    copied = torch.Tensor.to

    def to(tensor: torch.Tensor, *place: object, **options: object) -> torch.Tensor:
        calls.append(options)
        moved: torch.Tensor = copied(tensor, *place, **options)  # type: ignore[call-overload]
        return moved

    monkeypatch.setattr(torch.Tensor, "to", to)
    device.vectors(fake.compute, {"rows": torch.ones(2, 2)})

    assert calls[:2] == ["pinned", {"non_blocking": True}]


def test_gpu_has_all_cores_decode_and_computes_half_in_float16(
    gpu: Callable[..., tuple[Device, FakeGpu]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 32)
    device, _ = gpu(room=1)

    assert (device.decoder_count, Device().decoder_count) == (32, 8)
    assert (device.dtype("half"), device.dtype("bfloat16")) == (torch.float16, torch.bfloat16)


def test_cpu_keeps_its_rows() -> None:
    device = Device()

    device.fit((lambda part: part["rows"], ROWS))

    assert device.rows == CPU_ROWS


@pytest.mark.parametrize(
    ("abilities", "dtype"),
    [
        ({"avx512_bf16": True}, torch.bfloat16),
        ({"amx_bf16": True}, torch.bfloat16),
        ({"avx512_bf16": False}, torch.float32),
        ({}, torch.float32),
    ],
)
def test_half_is_bfloat16_on_a_cpu_that_computes_in_it(
    monkeypatch: pytest.MonkeyPatch, abilities: dict[str, bool], dtype: torch.dtype
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: abilities)

    assert Device().dtype("half") is dtype
    assert Device().dtype("float32") is torch.float32


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_real_gpu_gives_the_sums_of_a_cpu() -> None:
    device = Device()
    device.fit((lambda part: part["rows"] * 2, {"rows": torch.ones(PROBED, 2)}))

    vectors = device.vectors(lambda part: part["rows"] * 2, ROWS)

    assert device.rows == MOST_ROWS
    np.testing.assert_array_equal(np.stack(vectors), ROWS["rows"].numpy() * 2)
