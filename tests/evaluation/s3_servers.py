"""Servers with S3's protocol: moto's, OpenStack Swift (Debian) and s3rver (npm), where installed."""

import getpass
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from evaluation.running.hosting.children import tie_to_parent
from tests.evaluation.conftest import wait_for
from tests.faults.slow_clients import free_port

KINDS = ("moto", "swift", "s3rver")
RINGS = ("account", "container", "object")
SWIFT = """
[swift-hash]
swift_hash_path_prefix = test
swift_hash_path_suffix = test
[storage-policy:0]
name = only
default = yes
"""
SERVER = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
user = {user}
workers = 0
"""
STORAGE = "[pipeline:main]\npipeline = {name}-server\n[app:{name}-server]\nuse = egg:swift#{name}\n"
FILTERS = {
    "catch_errors": "",
    "gatekeeper": "",
    "memcache": "",
    "listing_formats": "",
    "s3api": "location = us-east-1\n",
    "tempauth": "user_test_tester = secret .admin\n",
    "copy": "",
    "slo": "",
    "dlo": "",
}
PROXY = "\n".join(
    [
        f"[pipeline:main]\npipeline = {' '.join(FILTERS)} proxy-server",
        *(f"[filter:{name}]\nuse = egg:swift#{name}\n{options}" for name, options in FILTERS.items()),
        "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n",
    ]
)


@dataclass(frozen=True)
class S3Server:
    """Where it listens, and the key and the secret that it accepts."""

    endpoint: str
    key: str
    secret: str

    def bucket(self, name: str) -> Any:
        """Wait for the server, and return a new bucket."""
        keys = {"aws_access_key_id": self.key, "aws_secret_access_key": self.secret}
        once = Config(retries={"max_attempts": 0}, s3={"addressing_style": "path"})
        found = boto3.resource(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1", config=once, **keys
        ).Bucket(name)

        def is_made() -> bool:
            with suppress(BotoCoreError, ClientError):
                found.create()  # it may be there although an earlier attempt got no answer
            try:
                found.meta.client.head_bucket(Bucket=name)
            except (BotoCoreError, ClientError):
                return False
            return True

        wait_for(is_made, "the storage")
        return found


@contextmanager
def s3_server(kind: str, folder: Path) -> Iterator[S3Server]:
    """Run a server of the kind. Skips if it is not installed."""
    with ExitStack() as stack:
        yield {"moto": _moto, "swift": _swift, "s3rver": _s3rver}[kind](stack, folder)


def _moto(stack: ExitStack, folder: Path) -> S3Server:
    port = free_port()
    _start(stack, folder, [sys.executable, "-m", "moto.server", "--port", str(port)])
    return S3Server(f"http://127.0.0.1:{port}", "AKIDEXAMPLE", "secret")


def _s3rver(stack: ExitStack, folder: Path) -> S3Server:
    if not shutil.which("s3rver"):
        pytest.skip("s3rver is not installed")
    port = free_port()
    _start(stack, folder, ["s3rver", "-d", str(folder / "data"), "-a", "127.0.0.1", "-p", str(port)])
    return S3Server(f"http://127.0.0.1:{port}", "S3RVER", "S3RVER")


def _swift(stack: ExitStack, folder: Path) -> S3Server:
    """One proxy, and one account, container and object server with one device."""
    if not shutil.which("swift-proxy-server") or not shutil.which("swift-object-server"):
        pytest.skip("OpenStack Swift is not installed")
    (folder / "swift.conf").write_text(SWIFT)
    (folder / "devices" / "d1").mkdir(parents=True)
    ports = {name: free_port() for name in (*RINGS, "proxy")}
    for name, port in ports.items():
        shared = SERVER.format(port=port, folder=folder, user=getpass.getuser())
        own = PROXY if name == "proxy" else STORAGE.format(name=name)
        (folder / f"{name}.conf").write_text(shared + own)
        if name in RINGS:
            _make_ring(folder / f"{name}.builder", port)
        _start(stack, folder, [f"swift-{name}-server", str(folder / f"{name}.conf")])
    return S3Server(f"http://127.0.0.1:{ports['proxy']}", "test:tester", "secret")


def _make_ring(builder: Path, port: int) -> None:
    device = f"r1z1-127.0.0.1:{port}/d1"
    for words in (["create", "4", "1", "0"], ["add", device, "1"], ["rebalance"]):
        command = ["swift-ring-builder", str(builder), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _start(stack: ExitStack, folder: Path, command: list[str]) -> None:
    with (folder / "s3.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=log,
            stderr=log,
            process_group=0,
            preexec_fn=tie_to_parent(signal.SIGKILL),
        )
    stack.callback(process.wait)
    stack.callback(os.killpg, process.pid, signal.SIGKILL)
