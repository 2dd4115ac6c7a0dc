"""Blobs in a bucket: the same site, with its bytes on a server with S3's protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from moto.server import ThreadedMotoServer

from evaluation.collections.storing import store_blob
from evaluation.config.backends.blob_storage import S3NotInstalled, blobs_in_bucket
from evaluation.hosting.backup import back_up
from evaluation.hosting.restore import stored_names
from evaluation.models import Blob
from judges.jobs.starting import start_job
from judges.registry import BACKENDS
from tests.judges.factories import make_image_pool, make_judge, run_to_end

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from pytest_django import Settings

pytestmark = pytest.mark.whole

BUCKET, KEYS = "track", {"key": "AKIDEXAMPLE", "secret": "secret"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str, settings: Settings) -> Iterator[Any]:
    """An empty bucket for the site's blobs."""
    options = {"aws_access_key_id": KEYS["key"], "aws_secret_access_key": KEYS["secret"]}
    found = boto3.resource("s3", endpoint_url=endpoint, region_name="us-east-1", **options).Bucket(BUCKET)
    found.create()
    default = blobs_in_bucket(BUCKET, endpoint=endpoint, region="us-east-1", **KEYS)
    settings.STORAGES = {**settings.STORAGES, "default": default}
    yield found
    found.objects.delete()
    found.delete()


def names(bucket: Any) -> set[str]:
    return {each.key for each in bucket.objects.all()}


@pytest.mark.django_db
def test_blob_is_read_from_the_bucket(bucket: Any) -> None:
    blob = store_blob(file=ContentFile(b"a run"))

    assert names(bucket) == {f"blobs/{blob.path}"}
    assert blob.read() == b"a run"
    with blob.open() as file:
        assert list(file) == [b"a run"]


@pytest.mark.django_db
def test_blob_that_the_bucket_lost_is_stored_again_by_the_next_upload(bucket: Any) -> None:
    blob = store_blob(file=ContentFile(b"a run"))
    bucket.objects.delete()
    with pytest.raises(FileNotFoundError):
        blob.read()

    Blob.objects.all().delete()
    assert store_blob(file=ContentFile(b"a run")).read() == b"a run"


@pytest.mark.django_db
def test_bucket_out_of_reach_leaves_no_row(settings: Settings) -> None:
    default = blobs_in_bucket(BUCKET, endpoint="http://127.0.0.1:9", region="us-east-1", **KEYS)
    settings.STORAGES = {**settings.STORAGES, "default": default}

    with pytest.raises(EndpointConnectionError):
        store_blob(file=ContentFile(b"a run"))

    assert not Blob.objects.exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("bucket")
def test_job_reads_its_images_from_the_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "counting", "tests.judges.factories:CountingEncoder")
    pool = make_image_pool()

    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))

    assert job.outcome_counts() == {"ok": 6}


@pytest.mark.django_db(transaction=True)
def test_backup_takes_what_the_bucket_holds(bucket: Any, tmp_path: Path) -> None:
    blob = store_blob(file=ContentFile(b"a run"))
    bucket.put_object(Key="somebody else's", Body=b"not ours")

    back_up(tmp_path / "site.tar", say=print)

    assert (tmp_path / "site.tar").read_bytes().count(b"a run") == 1
    assert list(stored_names("")) == [blob.path]  # so a restore removes nothing that is not ours
    default_storage.delete(blob.path)
    assert names(bucket) == {"somebody else's"}


def test_bucket_without_its_packages_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.config.backends.blob_storage.find_spec", lambda name: None)

    with pytest.raises(S3NotInstalled, match=r"pip install 'trackside\[s3\]'"):
        blobs_in_bucket(BUCKET, endpoint="", region="", key="", secret="")


def test_settings_name_the_bucket(tmp_path: Path) -> None:
    code = (
        "import json; from evaluation.config.settings import STORAGES;"
        "print(json.dumps(STORAGES['default']['OPTIONS'], default=str))"
    )
    env = {"TRACKSIDE_VAR": str(tmp_path), "S3_BUCKET": "b", "S3_ENDPOINT_URL": "http://s3", "S3_REGION": "r"}
    printed = subprocess.check_output(
        [sys.executable, "-c", code], cwd=django_settings.ROOT, env=env | {"PATH": ""}, text=True
    )

    options = json.loads(printed)
    assert (options["bucket_name"], options["endpoint_url"], options["region_name"]) == (
        "b",
        "http://s3",
        "r",
    )
    assert (options["access_key"], options["secret_key"]) == (None, None)
