"""Blobs in a bucket: the same site, with its bytes on a server with S3's protocol."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from pytest_django import Settings

from evaluation.collections.storing import store_blob
from evaluation.config.backends.blob_storage import blobs_in_bucket
from evaluation.models import Blob
from evaluation.results.reports import packing
from evaluation.results.reports.packing import sweep_bundles
from evaluation.running.hosting.backup import back_up
from evaluation.running.hosting.restore import stored_names
from judges.jobs.starting import start_job
from tests.evaluation.s3_servers import KINDS, S3Server, s3_server
from tests.judges.factories import make_image_pool, make_judge, run_to_end
from trackside.backends.registry import BACKENDS
from trackside.errors import InputError

pytestmark = pytest.mark.whole

BUCKET, KEYS = "track", {"key": "AKIDEXAMPLE", "secret": "secret"}


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_server(request.param, tmp_path_factory.mktemp(request.param)) as started:
        yield started


@pytest.fixture
def bucket(server: S3Server, settings: Settings) -> Iterator[Any]:
    """An empty bucket for the site's blobs."""
    found = server.bucket(BUCKET)
    default = blobs_in_bucket(
        BUCKET, endpoint=server.endpoint, region="us-east-1", key=server.key, secret=server.secret
    )
    settings.STORAGES = {**settings.STORAGES, "default": default}
    yield found
    empty(found)
    found.delete()


def empty(bucket: Any) -> None:
    """Delete all objects one by one, as the site does: Swift 2.30 refuses boto3's checksum of a list."""
    for each in bucket.objects.all():
        each.delete()


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
    empty(bucket)
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


def test_old_zips_are_deleted_from_the_bucket(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep_bundles()
    for name in ("7/a.zip", "7/b.zip", "8/c.zip"):
        default_storage.save(f"bundles/{name}", ContentFile(b"zip"))
    sweep_bundles()
    assert len(names(bucket)) == 3
    monkeypatch.setattr(packing, "KEPT_FOR", timedelta(seconds=-60))  # whatever is stored is old
    sweep_bundles()
    assert names(bucket) == set()


@pytest.mark.django_db
@pytest.mark.usefixtures("bucket")
def test_job_reads_its_images_from_the_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "counting", "tests.judges.counting_encoder:CountingEncoder")
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

    with pytest.raises(InputError, match=r"pip install -e '\.\[s3\]'"):
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
