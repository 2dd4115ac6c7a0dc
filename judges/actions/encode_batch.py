"""Show a batch of texts or images to an encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.models import Blob
from judges.core.inputs import FieldsInput, Gap, TextInput
from judges.models import Embedding, Shard, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.core.inputs import Input
    from judges.core.judge import Encoder, Vector


def encode_batch(
    *, shard: Shard, encoder: Encoder, batch: Sequence[tuple[str, str]]
) -> dict[str, Vector | Gap]:
    """The vector of each input of the batch, or why there is none, by the input's SHA-256.

    ``batch`` is a piece of ``shard.inputs``. Inputs that another job has encoded meanwhile are left out, and
    no transaction is open while the model works.
    """
    known = Embedding.objects.vectors(shard.job.judge.settings.encoder_sha256, [each for _, each in batch])
    new = {sha256: name for name, sha256 in batch if sha256 not in known}
    shown = shard.job.inputs(Side(shard.side), list(new.values()))
    texts: dict[str, str] = {}
    images: dict[str, bytes] = {}
    encoded: dict[str, Vector | Gap] = {}
    for sha256, name in new.items():
        match _content(shown[name], sha256):
            case Gap() as gap:
                encoded[sha256] = gap
            case str(text):
                texts[sha256] = text
            case content:
                images[sha256] = content
    if texts:
        encoded |= zip(texts, encoder.encode_texts(list(texts.values())), strict=True)
    if images:
        encoded |= zip(images, encoder.encode_images(list(images.values())), strict=True)
    return encoded


def _content(shown: Input | Gap, planned: str) -> str | bytes | Gap:
    """The text or the image's bytes; a gap when the item is not what it was when the job was planned."""
    if isinstance(shown, Gap):
        return shown
    if shown.sha256 != planned:
        return Gap.ITEM_CHANGED
    if isinstance(shown, TextInput):
        return shown.text
    if isinstance(shown, FieldsInput):  # of generators, whose shards are no inputs
        return Gap.TEXT_EMPTY
    try:
        return Blob(sha256=shown.blob).read()
    except FileNotFoundError:
        return Gap.IMAGE_MISSING
