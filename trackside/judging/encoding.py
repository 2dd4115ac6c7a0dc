"""The texts and images of an encoder's next batch, and their vectors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from trackside.judging.inputs import (
    FieldsInput,
    Gap,
    ImageInput,
    Input,
    SideInput,
    TextInput,
    piece_sha256,
    prompted,
)
from trackside.judging.judge import Encoder, Prepared, Vector
from trackside.judging.texts import FieldReading, read_fields


@dataclass
class Batch:
    """A part of a shard's inputs: the texts or images to encode, by their SHA-256.

    ``size`` is the number of inputs that it completes, ``shown`` are the images to decode, ``images`` the
    decoded ones. ``pieces`` are the pieces of split texts and the images of items with several, ``readings``
    say how much of each text is read, even if it is encoded already.
    """

    size: int
    texts: dict[str, str] = field(default_factory=dict)
    shown: dict[str, ImageInput] = field(default_factory=dict)
    images: dict[str, Prepared] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)


def build_batch(
    part: Sequence[tuple[str, str]],
    inputs: Mapping[str, Input | Gap],
    encoded: Collection[str],
    encoder: Encoder,
) -> Batch:
    """Return the batch of a part of a shard's inputs, each a name and the SHA-256 at the time of planning.

    ``inputs`` has the current input of each name, except for images that are encoded already. ``encoded`` are
    the hashes of the encoded inputs: of an encoded text only the reading is added.
    """
    batch = Batch(len(part))
    for name, sha256 in part:
        is_encoded = sha256 in encoded
        match _checked(inputs[name], sha256) if name in inputs else None:
            case None:
                continue
            case Gap() as gap:
                batch.gaps |= {} if is_encoded else {sha256: gap}
            case TextInput() as text:
                counts = encoder.token_counts([words for _, words in text.fields])
                batch.readings[sha256] = read_fields(text, counts, encoder.room(text.prompt))
                if not is_encoded:
                    _add_text(batch, sha256, text, encoder)
            case image:
                batch.shown |= {single.sha256: single for single in image.single}
                if image.more:
                    batch.pieces[sha256] = [single.sha256 for single in image.single]
    return batch


def _checked(current: Input | Gap, planned: str) -> TextInput | ImageInput | Gap:
    """Return the input; a gap if the item has changed since the job was planned."""
    if isinstance(current, Gap):
        return current
    if isinstance(current, FieldsInput | SideInput) or current.sha256 != planned:  # inputs of generators
        return Gap.ITEM_CHANGED
    return current


def _add_text(batch: Batch, sha256: str, item: TextInput, encoder: Encoder) -> None:
    if item.is_cut:
        pieces = [piece for text in item.texts for piece in encoder.pieces(text, item.prompt)]
    else:
        pieces = [prompted(item.prompt, text) for text in item.texts]
    by_sha256 = {piece_sha256(piece): piece for piece in pieces}
    batch.texts |= by_sha256
    if list(by_sha256) != [sha256]:
        batch.pieces[sha256] = [piece_sha256(piece) for piece in pieces]


def add_images(batch: Batch, decoded: Mapping[str, Prepared | Gap]) -> None:
    """Add decoded images to the batch; an item whose images are not all readable is a gap."""
    gaps = {sha256: image for sha256, image in decoded.items() if isinstance(image, Gap)}
    batch.images = {sha256: image for sha256, image in decoded.items() if sha256 not in gaps}
    of_items = {
        sha256: [gaps[piece] for piece in pieces if piece in gaps] for sha256, pieces in batch.pieces.items()
    }
    gaps |= {sha256: broken[0] for sha256, broken in of_items.items() if broken}
    batch.pieces = {sha256: pieces for sha256, pieces in batch.pieces.items() if sha256 not in gaps}
    batch.gaps |= gaps


def encode_batch(batch: Batch, encoder: Encoder) -> dict[str, Vector]:
    """Return the vectors of the batch's texts, pieces and images by their SHA-256."""
    vectors: dict[str, Vector] = {}
    if batch.texts:
        vectors |= zip(batch.texts, encoder.encode_texts(list(batch.texts.values())), strict=True)
    if batch.images:
        vectors |= zip(batch.images, encoder.encode_images(list(batch.images.values())), strict=True)
    return vectors
