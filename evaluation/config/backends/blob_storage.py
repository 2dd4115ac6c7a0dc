"""Storage of blobs, shared by all processes: a folder, or a bucket of an S3-compatible service."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

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
        "BACKEND": "evaluation.hosting.whole_files.WholeFileStorage",
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
