"""Store bytes and pictures."""

import hashlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import IO, Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import transaction

from evaluation.collections.blobs import Blob, Image
from evaluation.tracks.work.sandbox import FileRefused, LimitReached, SandboxCrashed, sandbox
from trackside.gradients import look_of
from trackside.image_errors import ImageUnreadable
from trackside.images import MAX_PIXELS, Derivatives
from trackside.sandbox.limits import Limits
from trackside.sandbox.messages import Message


def store_blob(*, file: File[bytes]) -> Blob:
    """Store the file's bytes once, under their SHA-256, and return their row.

    The bytes are written before the row, so a row means that they are complete. If the process is killed
    in between, the next upload of the same file reuses the bytes.
    """
    blob = Blob(sha256=sha256_of(file), size=file.size)
    known = Blob.objects.filter(pk=blob.pk).first()
    if known:
        return known
    file.seek(0)
    default_storage.save(blob.path, file)
    Blob.objects.bulk_create([blob], ignore_conflicts=True)
    return blob


def sha256_of(file: IO[bytes] | File[bytes]) -> str:
    """Return the SHA-256 of the whole file, in hexadecimal."""
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()


CPU_SECONDS = 60  # the largest allowed picture takes 10 s
SILENCE_SECONDS = 60.0
# Limits of a picture in a form, because a web process decodes it: 4,096 x 3,072 pixels, a phone's, take 1 s.
FORM_BYTES = 10_000_000
FORM_PIXELS = 12_600_000
PICTURE_HELP = "JPEG, PNG or WEBP of at most 10 MB and 12.6 million pixels, such as 4,096 x 3,072."


def read_picture(*, file: File[bytes]) -> bytes:
    """Return the bytes of an uploaded picture. Raises ImageUnreadable if it exceeds FORM_BYTES."""
    if file.size > FORM_BYTES:
        raise ImageUnreadable(
            f"The file has {file.size:,} bytes; at most {FORM_BYTES:,} are allowed. Scale it down."
        )
    content: bytes = file.read()
    return content


def store_image(*, content: bytes) -> Image:
    """Store the JPEG, PNG or WEBP file of a form, like ``store_images``.

    Raises ImageUnreadable for other files, and for more than FORM_PIXELS.
    """
    return store_images(contents=[content], max_pixels=FORM_PIXELS)[0]


def store_images(*, contents: Sequence[bytes], max_pixels: int = MAX_PIXELS) -> list[Image]:
    """Store pictures and their derivatives once, under their SHA-256. One sandbox decodes all new pictures.

    Raises ImageUnreadable if one picture cannot be decoded; then none is stored.
    """
    keys = [hashlib.sha256(content).hexdigest() for content in contents]
    images = Image.objects.in_bulk(keys)
    new = {key: content for key, content in zip(keys, contents, strict=True) if key not in images}
    for (key, content), parts in zip(new.items(), _decoded(list(new.values()), max_pixels), strict=True):
        images[key] = keep_image(**parts | {"original": parts["original"] or content})
    return [images[key] for key in keys]


def _decoded(contents: Sequence[bytes], max_pixels: int) -> list[dict[str, Any]]:
    if not contents:
        return []
    sizes = [len(content) for content in contents]
    limits = Limits.for_file(
        sum(sizes), cpu_seconds=CPU_SECONDS * len(sizes), silence_seconds=SILENCE_SECONDS
    )
    try:
        values = {"sizes": sizes, "max_pixels": max_pixels}
        with sandbox("image", ContentFile(b"".join(contents)), limits=limits, values=values) as running:
            return [parts_of(message) for message in running.messages()]
    except (FileRefused, LimitReached, SandboxCrashed) as error:
        raise ImageUnreadable(str(error)) from error


def parts_of(message: Message) -> dict[str, Any]:
    """Return the arguments of ``keep_image`` from a sandbox's message about a picture."""
    ends = [0, *accumulate(message.values["sizes"])]
    original, display, small, thumbnail, colours = (
        message.content[start:end] for start, end in pairwise(ends)
    )
    width, height = int(message.values["width"]), int(message.values["height"])
    return {
        "sha256": message.values["sha256"],
        "original": original,
        "made": Derivatives(display, small, thumbnail, width, height, message.values["gradients"], colours),
    }


@transaction.atomic
def keep_image(*, sha256: str, original: bytes, made: Derivatives) -> Image:
    """Store a picture's bytes and its derivatives."""
    image = Image(
        sha256=sha256,
        original=store_blob(file=ContentFile(original)),
        display=store_blob(file=ContentFile(made.display)),
        small=store_blob(file=ContentFile(made.small)),
        thumbnail=store_blob(file=ContentFile(made.thumbnail)),
        width=made.width,
        height=made.height,
        gradients=made.gradients,
        colours=made.colours,
    )
    Image.objects.bulk_create([image], ignore_conflicts=True)  # a concurrent upload may have stored it
    return image


LOOKS_AT_ONCE = 500  # pictures: some seconds


def add_looks() -> None:
    """Store what near-duplicates share for some pictures of earlier releases; call it until all have it.

    It is computed from the stored copies. A picture without readable copies gets none.
    """
    for image in Image.objects.filter(colours=None).select_related("small", "thumbnail")[:LOOKS_AT_ONCE]:
        try:
            gradients, colours = look_of(image.small.read(), image.thumbnail.read())
        except (FileNotFoundError, ImageUnreadable):
            gradients, colours = None, b""
        Image.objects.filter(pk=image.pk, colours=None).update(gradients=gradients, colours=colours)
