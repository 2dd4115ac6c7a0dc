"""Run files in a packing that is not read."""

import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from trackside.checks import FaultCode, check_run
from trackside.files import Rankings, UnreadableFile

RUN = b"t1 Q0 a 1 2 tag\nt1 Q0 c 2 1 tag\n"


def tar_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as packed:
        member = tarfile.TarInfo("a.run")
        member.size = len(content)
        packed.addfile(member, io.BytesIO(content))
    return target.getvalue()


def zip_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("a.run", content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (lzma.compress(RUN), "xz"),
        (zip_of(RUN), "zip"),
        (tar_of(RUN), "tar"),
        (gzip.compress(tar_of(RUN)), "tar"),
        (gzip.compress(gzip.compress(RUN)), "gzip"),
    ],
    ids=["xz", "zip", "tar", "packed tar", "packed twice"],
)
def test_content_in_another_packing_is_named(content: bytes, form: str) -> None:
    with pytest.raises(UnreadableFile, match=f"contains a {form} file, not lines.*packed once with gzip"):
        Rankings.from_file(io.BytesIO(content))


def test_verdict_on_a_zip_says_how_to_pack_the_run() -> None:
    verdict = check_run(zip_of(RUN), topics=["t1"])
    (fault,) = (each for each in verdict.faults if each.code == FaultCode.UNREADABLE)
    assert "contains a zip file" in fault.note
    assert FaultCode.NUL_BYTE not in {each.code for each in verdict.faults}


def test_docno_may_be_where_a_tar_file_has_its_mark() -> None:
    before = b"t1 Q0 longer 1 30 tag\n" + b"".join(b"t1 Q0 d%03d 1 2 tag\n" % n for n in range(12))
    content = before.ljust(250) + b"\nt1 Q0 ustar 1 1 tag\n"
    assert content.index(b"ustar") == 257
    assert Rankings.from_file(io.BytesIO(content)).top(1) == {"t1": ["longer"]}
