"""Job of a sandbox: make the derivatives of pictures."""

from trackside.image_errors import MAX_IMAGE_BYTES
from trackside.images import Derivatives, derivatives
from trackside.sandbox.messages import SandboxJob


def run(job: SandboxJob) -> None:
    """Report the copies of each picture, of at most ``max_pixels``; ``sizes`` are the bytes of each."""
    max_pixels = job.values["max_pixels"]
    for size in job.values["sizes"]:
        report_image(job, "", b"", derivatives(job.file.read(size)[:MAX_IMAGE_BYTES], max_pixels=max_pixels))


def report_image(job: SandboxJob, sha256: str, original: bytes, made: Derivatives) -> None:
    """Send a picture's original bytes, then display, small and thumbnail."""
    parts = (original, made.display, made.small, made.thumbnail)
    sizes = [len(part) for part in parts]
    values = {"sha256": sha256, "sizes": sizes, "width": made.width, "height": made.height}
    job.report("image", values, b"".join(parts))
