"""The settings that identify a judge: everything that decides its answers, and nothing else.

Also the presets of CLIP judges, and the revision of a model's files.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trackside.errors import InputError

SMALL, ORIGINAL = "small", "original"  # the 336 px copy of an image, or the image as uploaded
DRAFT = "draft"  # the uploaded bytes, a JPEG decoded at a fraction of its size
TRUNCATE = "truncate"  # cut a text at the model's limit, keep the end token
CHUNK_MEAN, CHUNK_MAX = "chunk-mean", "chunk-max"  # split a text into pieces that fit; see ``pair_cosines``
BY_FIELDS = "by-fields"  # encode each field separately, cut at the limit, and average the vectors
IMAGE_SIDE = re.compile(r"[1-9][0-9]{1,4}")  # the longest side of an image in pixels
IMAGE_SIZES = (
    f"{SMALL} (the 336 px copy), {ORIGINAL} (as uploaded), or the longest side in pixels, such as 1024"
)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The identity of a judge.

    ``revision`` is that of our backend, raised by hand when its answers change; ``model_revision`` fixes the
    weights. ``text_fields`` are the names of the text fields that the judge reads; empty for all fields.
    ``image_size`` is SMALL, ORIGINAL, DRAFT or an IMAGE_SIDE; a backend may take some of them only.
    """

    backend: str
    revision: int
    model: str
    model_revision: str
    dtype: str = "float32"
    prompt: str = ""
    text_fields: tuple[str, ...] = ()
    image_size: str = SMALL
    long_text: str = TRUNCATE
    decoding: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    endpoint: str = ""
    answer: str = ""

    @property
    def has_asked_size(self) -> bool:
        """Whether a judge that answers in text can be shown images of this size."""
        return self.image_size in {SMALL, ORIGINAL} or bool(IMAGE_SIDE.fullmatch(self.image_size))

    @property
    def identity_sha256(self) -> str:
        """The judge's identity: equal for equal settings."""
        return digest(asdict(self))

    @property
    def encoder_sha256(self) -> str:
        """The identity of the vectors: judges that only differ in the inputs to a model share it."""
        pooling = [self.decoding["pooling"]] if "pooling" in self.decoding else []  # of sentences
        return digest([self.backend, self.revision, self.model, self.model_revision, self.dtype, *pooling])


def digest(content: object) -> str:
    """Return the SHA-256 of plain JSON content, in hexadecimal; the order of keys does not matter."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


SECTION_FIRST = (
    "section_title",
    "context_section_description",
    "page_title",
    "context_page_description",
)
TITLES_FIRST = (
    "section_title",
    "page_title",
    "context_section_description",
    "context_page_description",
)
CONTEXTS = ("context_page_description", "context_section_description")


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The settings that decide what a CLIP judge reads, by name; ``words`` describe them on pages."""

    name: str
    words: str
    prompt: str = ""
    text_fields: tuple[str, ...] = ()
    long_text: str = TRUNCATE

    @property
    def choices(self) -> dict[str, Any]:
        """The settings of the preset."""
        return {"prompt": self.prompt, "text_fields": self.text_fields, "long_text": self.long_text}


CLIP_PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="clip-four-fields",
            words="section title, section context, page title, page context; cut at the model's limit",
            text_fields=SECTION_FIRST,
        ),
        Preset(
            name="clip-four-fields-chunk-mean",
            words="the same fields in pieces that fit; the mean of the pieces counts",
            text_fields=SECTION_FIRST,
            long_text=CHUNK_MEAN,
        ),
        Preset(
            name="clip-four-fields-chunk-max",
            words="the same fields in pieces that fit; the nearest piece counts",
            text_fields=SECTION_FIRST,
            long_text=CHUNK_MAX,
        ),
        Preset(
            name="clip-four-fields-titles-first",
            words="section title, page title, section context, page context; cut at the model's limit",
            text_fields=TITLES_FIRST,
        ),
        Preset(
            name="clip-context-only",
            words="page context, then section context; cut at the model's limit",
            text_fields=CONTEXTS,
        ),
        Preset(
            name="clipscore-2021",
            words='all fields after "A photo depicts"; cut at the model\'s limit',
            prompt="A photo depicts ",
        ),
    )
}
"""The first three give CLIP the text that Yang and Lin (2024, note 2) give it: the context part of their
prompt, without prefix and instructions. The fourth has the same fields in an order that leaves neither title
out where the text is cut. The last one is CLIPScore as Hessel et al. (2021) prompt it."""


COMMIT = re.compile(r"[0-9a-f]{40}")


def pinned_revision(model: str, revision: str) -> str:
    """Return the exact revision of a model: the digest of its folder, or the given hub commit.

    Raises model-revision-needed for a hub name without a full commit (a branch moves), model-changed for a
    folder whose content differs from the given revision.
    """
    folder = Path(model)
    if not folder.is_dir():
        if not COMMIT.fullmatch(revision):
            raise InputError(
                f'"{model}" is not a folder on this server. For a hub model give the full commit, '
                "40 hexadecimal digits: a branch such as main moves, and the judge would change with it.",
                code="model-revision-needed",
            )
        return revision
    digest = folder_sha256(folder)
    if revision not in {"", digest}:
        raise InputError(
            f"The files in {model} have changed: their digest is {digest[:12]}, the judge was created with "
            f"{revision[:12]}. Put the old files back, or create a judge for the new ones.",
            code="model-changed",
        )
    return digest


def folder_sha256(folder: Path) -> str:
    """Return the SHA-256 over names and contents of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            part = hashlib.file_digest(file, "sha256").hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{part}\n".encode())
    return digest.hexdigest()
