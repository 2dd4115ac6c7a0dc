"""Storage of blobs, shared by all processes: a folder, or a bucket of an S3-compatible service."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

from evaluation.config.environment import Environment
from trackside.errors import InputError

PREFIX = "blobs"  # a restore deletes blobs that are not in the backup, but only below this prefix
CLIENT = {
    "connect_timeout": 5,  # seconds
    "read_timeout": 60,  # seconds
    "retries": {"mode": "standard", "max_attempts": 5},
    # Other S3 services reject Amazon's own checksums; blob names are checksums already.
    "request_checksum_calculation": "when_required",
    "response_checksum_validation": "when_required",
}


def blob_storage(env: Environment, folder: Path) -> dict[str, Any]:
    """Return Django's settings of the storage: the bucket in the environment, else the folder."""
    if not (bucket := env.text("S3_BUCKET")):
        return blobs_in_folder(folder)
    return blobs_in_bucket(
        bucket,
        endpoint=env.text("S3_ENDPOINT_URL"),
        region=env.text("S3_REGION"),
        key=env.text("S3_ACCESS_KEY_ID"),
        secret=env.text("S3_SECRET_ACCESS_KEY"),
    )


def blobs_in_folder(folder: Path, *, is_durable: bool = True) -> dict[str, Any]:
    """Return Django's settings of a storage in a folder, which all web processes and workers share."""
    return {
        "BACKEND": "evaluation.config.backends.blob_storage.WholeFileStorage",
        # A blob's name is its SHA-256, so overwriting can only repair a file.
        "OPTIONS": {"location": folder, "allow_overwrite": True, "is_durable": is_durable},
    }


def blobs_in_bucket(bucket: str, *, endpoint: str, region: str, key: str, secret: str) -> dict[str, Any]:
    """Return Django's settings of a storage in a bucket; uploads are atomic.

    Without key and secret, boto3 uses the machine's role or profile. Raises InputError.
    """
    if find_spec("storages") is None:
        raise InputError(
            f'S3_BUCKET is "{bucket}", and the packages for it are not installed: '
            "pip install -e '.[s3]', or leave S3_BUCKET empty to keep blobs in TRACKSIDE_VAR."
        )
    from botocore.config import Config  # part of the extra s3, and slow to load

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
            # Services other than Amazon's have no host name per bucket.
            "client_config": Config(**CLIENT, s3={"addressing_style": "path" if endpoint else "auto"}),
        },
    }


class WholeFileStorage(FileSystemStorage):
    """Writes a temporary file and then renames it, so that nobody reads a partial file.

    Django truncates an existing file of the same name and writes into it. Two uploads of equal bytes share a
    name, so a reader of the first could read the partial file of the second. A killed process leaves a draft.

    Bytes and name are flushed to disk before `save` returns, because the database keeps a row about them
    through a power failure. `is_durable=False` leaves that to the operating system.
    """

    def __init__(self, *, is_durable: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.is_durable = is_durable

    def _save(self, name: str, content: "File[Any]") -> str:
        target, draft = Path(self.path(name)), f"{name}.{uuid4().hex}"
        has_folder = target.parent.exists()
        try:
            super()._save(draft, content)  # type: ignore[misc]  # Django's own way to extend a storage, not in its types
            self._flush(Path(self.path(draft)))
            Path(self.path(draft)).replace(target)
            self._flush(target.parent)
            if not has_folder:
                self._flush(target.parent.parent)
        finally:
            Path(self.path(draft)).unlink(missing_ok=True)
        return name

    def _flush(self, path: Path) -> None:
        """Wait until the file's bytes, or the folder's names, are on disk."""
        if self.is_durable:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
