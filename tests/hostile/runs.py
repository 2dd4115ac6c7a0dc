"""Run files that are made to overload a check: small to send, expensive to read."""

import bz2
import gzip
import random
import struct
import zlib
from collections.abc import Callable, Iterator

import zstandard

TOPICS = tuple(f"t{number:03d}" for number in range(50))
DEPTH = 1000  # results a topic may have


def runs(share: float) -> dict[str, Callable[[], bytes]]:
    """Builders by name, at a share of the full size."""

    def times(count: int) -> int:
        return max(1, int(count * share))

    return {
        "million_topics": lambda: _packed(b"x%d Q0 d1 1 1 tag\n" % n for n in range(times(1_000_000))),
        "ten_million_topics": lambda: _packed(b"%d Q0 d 1 1 t\n" % n for n in range(times(10_000_000))),
        "one_topic_of_millions": lambda: _packed(
            b"t000 Q0 d%d %d %d tag\n" % (n, n, n) for n in range(times(3_000_000))
        ),
        "every_docno_its_own": lambda: _packed(_distinct(times(100_000))),
        "long_docnos": lambda: _packed(
            b"t%03d Q0 %s%d 1 1 tag\n" % (n % 50, b"d" * 4000, n) for n in range(times(200_000))
        ),
        "docnos_of_a_megabyte": lambda: _packed(
            b"t000 Q0 %s%d 1 1 tag\n" % (b"d" * 1_000_000, n) for n in range(times(300))
        ),
        "one_giant_line": lambda: _packed(b"x" * 1_000_000 for _ in range(times(600))),
        "single_letters": lambda: _packed(b"a " * 500_000 for _ in range(times(200))),
        "short_columns": lambda: _packed(b"a b c d e f\n" * 80_000 for _ in range(times(100))),
        "blank_lines": lambda: _packed(b"\n" * 1_000_000 for _ in range(times(60))),
        "nul_lines": lambda: _packed(b"t000 Q0 d\0 1 1 tag\n" * 50_000 for _ in range(times(60))),
        "stray_bytes": lambda: _packed(b"t000 Q0 \xff\xfe%d 1 1 tag\n" % n for n in range(times(900_000))),
        "windows_lines": lambda: _packed(b"t000 Q0 d%d 1 1 tag\r\n" % n for n in range(times(900_000))),
        "every_tag_its_own": lambda: _packed(
            b"t000 Q0 d%d 1 1 g%d\n" % (n, n) for n in range(times(900_000))
        ),
        "long_tags": lambda: _packed(
            b"t000 Q0 d%d 1 1 %s%d\n" % (n, b"g" * 4000, n) for n in range(times(30_000))
        ),
        "not_finite": lambda: _packed(b"t000 Q0 d%d 1 nan tag\n" % n for n in range(times(900_000))),
        "long_scores": lambda: _packed(
            b"t000 Q0 d%d %s 0.%s tag\n" % (n, b"9" * 1000, b"3" * 3000) for n in range(times(30_000))
        ),
        "one_docno_again": lambda: _packed(b"t000 Q0 d 1 1 tag\n" * 9000 for _ in range(times(100))),
        "all_tied_and_mixed": lambda: _packed(_mixed(times(1000))),
        "mixed_columns": lambda: _packed(b"t000\tQ0 d%d  1 1 tag\n" % n for n in range(times(900_000))),
        "gzip_bomb": lambda: _packed(b"t000 Q0 d 1 1 tag\n" * 100_000 for _ in range(times(2000))),
        "gzip_of_empty_members": lambda: gzip.compress(b"", mtime=0) * times(300_000),
        "gzip_long_name": lambda: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"n" * times(4_000_000),
        "bzip2_bomb": lambda: bz2.compress(b"t000 Q0 d 1 1 tag\n" * times(2_000_000)),
        "zstd_bomb": lambda: zstandard.compress(b"t000 Q0 d 1 1 tag\n" * times(10_000_000)),
        "zstd_wide_window": lambda: _zstd_wide(times(200)),
        "zstd_of_empty_frames": lambda: zstandard.compress(b"") * times(500_000),
        "zstd_of_one_block_repeated": lambda: _zstd_blocks(times(40_000)),
    }


def _packed(parts: Iterator[bytes]) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    packed = [packer.compress(part) for part in parts]
    return b"".join([*packed, packer.flush()])


def _distinct(count: int) -> Iterator[bytes]:
    """Valid lines of all topics, with docnos that hardly compress."""
    dice = random.Random(7)
    for number in range(count):
        yield b"t%03d Q0 %032x %d %d tag\n" % (number % 50, dice.getrandbits(128), number // 50, -number)


def _mixed(count: int) -> Iterator[bytes]:
    """Results of equal score, the topics in turn: no two lines of a topic are adjacent."""
    for rank in range(count):
        yield b"".join(b"%s Q0 d%d %d 1 tag\n" % (topic.encode(), rank, rank) for topic in TOPICS)


def _zstd_wide(megabytes: int) -> bytes:
    """A zstd frame that requires a window of 128 MB, with incompressible content."""
    parameters = zstandard.ZstdCompressionParameters(window_log=27, compression_level=1)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    dice = random.Random(1)
    packed = [packer.compress(dice.randbytes(1_000_000)[:10_000] * 100) for _ in range(megabytes)]
    return b"".join([*packed, packer.flush()])


def _zstd_blocks(count: int) -> bytes:
    """One frame of blocks of 4 bytes, each of which expands to 128 KB of one byte."""
    header = struct.pack("<IBB", 0xFD2FB528, 0x00, 0x38)  # window of 128 KB
    block = struct.pack("<I", (131_072 << 3) | 0b010)[:3] + b"a"
    last = struct.pack("<I", (131_072 << 3) | 0b011)[:3] + b"a"
    return header + block * count + last
