"""Job of a sandbox: read the topics or documents of an import."""

import hashlib
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import IO, Any

import polars as pl

from trackside.image_errors import ImageUnreadable
from trackside.images import derivatives, on_chosen_background, opened
from trackside.imports.archives import ArchiveUnreadable
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.fields import FieldChoice
from trackside.imports.readers import read_collection
from trackside.imports.records import SAMPLES, Record, RecordMaker, copy_line, sample_of, sound_records
from trackside.imports.text_files import docno_lines
from trackside.sandbox.jobs.image import report_image
from trackside.sandbox.messages import SandboxJob

_CHARACTERS = 1 << 20  # of a message
_PICTURE = _CHARACTERS // 50  # of each picture: 50 take about a second, and then progress is stored
_PATH = "/proc/self/fd/0"  # the file, for libraries that need a path


def prepare() -> None:
    """Start polars' threads, whose stacks count as address space."""
    file = BytesIO()
    pl.DataFrame({"id": ["a"], "text": ["b"]}).write_parquet(file)
    pl.scan_parquet(file.getvalue()).select(pl.len()).collect()


def run(job: SandboxJob) -> None:
    """Report rows as lines of COPY (see ``copy_line``) in batches, then the faults.

    Values: kind (topics, collection or docnos), columns of a table without a header, choice of fields, and
    is_trial. A trial decodes every picture, and also reports the first records and the fields of the file;
    otherwise pictures unknown to the parent process are reported before the row that uses them.
    """
    faults, kind = Faults(), job.values["kind"]
    choice = FieldChoice.from_json(job.values["choice"])
    maker = RecordMaker(faults, choice, is_topics=kind == "topics")
    samples: list[dict[str, Any]] = []
    lines: list[str] = []
    size = 0
    records = _records(kind, job.file, maker, job.values["columns"])
    for record in sound_records(records, faults, must_have_content=kind != "docnos"):
        images, thumbnail = _images(job, record, faults, has_thumbnail=len(samples) < SAMPLES)
        if len(images) < len(record.pictures):
            if len(record.pictures) > 1:
                continue
            if not record.fields:
                faults.add(ImportFault.EMPTY, record.place, record.name)
                continue
        if len(samples) < SAMPLES:
            samples.append(sample_of(record, thumbnail))
        line = copy_line(record, images)
        lines.append(line)
        size += len(line) + _PICTURE * len(record.pictures)
        if size >= _CHARACTERS:
            _report(job, lines)
            lines, size = [], 0
    _report(job, lines)
    if job.values["is_trial"]:
        trial = {"samples": samples, "fields": maker.counts.to_json()}
        job.report("found", content=json.dumps(trial).encode())
    job.report("faults", content=json.dumps(faults.to_values()).encode())


def _report(job: SandboxJob, lines: list[str]) -> None:
    job.report("rows", {"count": len(lines)}, "".join(lines).encode())


def _records(kind: str, file: IO[bytes], maker: RecordMaker, columns: list[str]) -> Iterator[Record]:
    if kind == "docnos":
        return docno_lines(file)
    return read_collection(file, _PATH, maker.faults, columns=columns, maker=maker)


def _images(
    job: SandboxJob, record: Record, faults: Faults, *, has_thumbnail: bool
) -> tuple[list[str], bytes | None]:
    """The keys of the record's images, and a small copy of the first in a trial; a fault ends them."""
    keys: list[str] = []
    thumbnail = None
    for number, picture in enumerate(record.pictures, start=1):
        try:
            key, copy = _image(job, picture, has_thumbnail=has_thumbnail and number == 1)
        except (ImageUnreadable, ArchiveUnreadable, MemoryError) as error:
            is_large = isinstance(error, MemoryError)
            text = "Decoding it takes more memory than allowed. Scale it down." if is_large else str(error)
            if len(record.pictures) > 1:
                faults.add(ImportFault.IMAGES_INCOMPLETE, record.place, f"image {number}: {text}")
            else:
                faults.add(ImportFault.IMAGE_UNREADABLE, record.place, text)
            return keys, thumbnail
        keys.append(key)
        thumbnail = copy or thumbnail
    return keys, thumbnail


def _image(job: SandboxJob, picture: Callable[[], bytes], *, has_thumbnail: bool) -> tuple[str, bytes | None]:
    """The key of an image, and a small copy in a trial. A picture that is stored already stays as it is."""
    sent = picture()
    content = on_chosen_background(sent)
    if content is not sent and _is_known(job, sent):
        content = sent
    sha256 = hashlib.sha256(content).hexdigest()
    if job.values["is_trial"] and has_thumbnail:
        return sha256, derivatives(content).thumbnail
    if job.values["is_trial"]:
        opened(content)
    elif not _is_known(job, content):
        report_image(job, sha256, content, derivatives(content))
    return sha256, None


def _is_known(job: SandboxJob, content: bytes) -> bool:
    answer: bool = job.ask("is_known", {"sha256": hashlib.sha256(content).hexdigest()}).values["answer"]
    return answer
