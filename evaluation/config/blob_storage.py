"""Where the bytes that processes share are kept: a folder, or a bucket of anything that speaks S3."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "blobs"  # a restore removes what the backup does not name, and only below this
CLIENT = {
    "connect_timeout": 5,  # seconds, as the next
    "read_timeout": 60,
    "retries": {"mode": "standard", "max_attempts": 5},
    # Checksums of Amazon's own that others which speak the protocol refuse; names of blobs are theirs.
    "request_checksum_calculation": "when_required",
    "response_checksum_validation": "when_required",
}


class S3NotInstalled(InputError):
    """A bucket is named, and the packages that talk to it are missing."""


def blobs_in_folder(folder: Path) -> dict[str, Any]:
    """Django's settings of a storage in a folder, which all web processes and workers share."""
    return {
        "BACKEND": "evaluation.config.whole_files.WholeFileStorage",
        # A blob's name is its SHA-256: overwriting a file can only mend it.
        "OPTIONS": {"location": folder, "allow_overwrite": True},
    }


def blobs_in_bucket(bucket: str, *, endpoint: str, region: str, key: str, secret: str) -> dict[str, Any]:
    """Django's settings of a storage in a bucket; an upload appears whole or not at all.

    Without key and secret the machine's own role or profile counts, as everywhere with AWS. Raises
    S3NotInstalled.
    """
    if find_spec("storages") is None:
        raise S3NotInstalled(
            f'S3_BUCKET is "{bucket}", and the packages for it are not installed: '
            "pip install 'trackside[s3]', or leave S3_BUCKET empty to keep blobs in TRACKSIDE_VAR."
        )
    from botocore.config import Config

    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": bucket,
            "location": PREFIX,
            "endpoint_url": endpoint or None,
            "region_name": region or None,
            "access_key": key or None,
            "secret_key": secret or None,
            "file_overwrite": True,
            # Others than Amazon have no host name for each bucket.
            "client_config": Config(**CLIENT, s3={"addressing_style": "path" if endpoint else "auto"}),
        },
    }
