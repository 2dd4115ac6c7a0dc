from pathlib import Path

import pytest

from tests.refusals import refused
from trackside.judging.checkpoint import folder_sha256, pinned_revision

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "1.safetensors").write_bytes(b"\0\1")
    return tmp_path


def test_pinned_revision_of_a_hub_model_is_its_commit() -> None:
    assert pinned_revision("openai/clip-vit-large-patch14", COMMIT) == COMMIT


@pytest.mark.parametrize("revision", ["", "main", COMMIT[:12], COMMIT.upper(), f"{COMMIT}\n"])
def test_pinned_revision_of_a_hub_model_needs_the_full_commit(revision: str) -> None:
    with refused("model-revision-needed", match="40 hexadecimal digits"):
        pinned_revision("openai/clip-vit-large-patch14", revision)


def test_pinned_revision_of_a_folder_is_its_digest(folder: Path) -> None:
    found = pinned_revision(str(folder), "")

    assert found == folder_sha256(folder)
    assert pinned_revision(str(folder), found) == found


def test_pinned_revision_refuses_a_changed_folder(folder: Path) -> None:
    before = pinned_revision(str(folder), "")
    (folder / "config.json").write_text('{"x": 1}')

    with refused("model-changed", match="have changed"):
        pinned_revision(str(folder), before)


def test_folder_sha256_distinguishes_renamed_and_moved_files(folder: Path) -> None:
    before = folder_sha256(folder)
    (folder / "weights" / "1.safetensors").rename(folder / "1.safetensors")

    assert folder_sha256(folder) != before
