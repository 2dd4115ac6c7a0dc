"""Job of a sandbox: make the derivatives of pictures."""

import hashlib

from trackside.image_errors import MAX_IMAGE_BYTES
from trackside.images import Derivatives, derivatives, on_chosen_background
from trackside.sandbox.messages import SandboxJob


def run(job: SandboxJob) -> None:
    """Report the copies of each picture, of at most ``max_pixels``; ``sizes`` are the bytes of each.

    The bytes to store come with them if they differ from the file's.
    """
    max_pixels = job.values["max_pixels"]
    for size in job.values["sizes"]:
        content = job.file.read(size)[:MAX_IMAGE_BYTES]
        shown = on_chosen_background(content, max_pixels=max_pixels)
        changed = shown if shown is not content else b""
        sha256 = hashlib.sha256(shown).hexdigest()
        report_image(job, sha256, changed, derivatives(shown, max_pixels=max_pixels))


def report_image(job: SandboxJob, sha256: str, original: bytes, made: Derivatives) -> None:
    """Send a picture's original bytes, then display, small and thumbnail, then its colours."""
    parts = (original, made.display, made.small, made.thumbnail, made.colours or b"")
    sizes = [len(part) for part in parts]
    facts = {"width": made.width, "height": made.height, "gradients": made.gradients}
    values = {"sha256": sha256, "sizes": sizes, **facts}
    job.report("image", values, b"".join(parts))
