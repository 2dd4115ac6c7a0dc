"""Batches of an encoder, without a database: what is encoded, counted and missing."""

import numpy as np

from tests.judges.counting_encoder import CountingEncoder
from trackside.judging.encoding import build_batch, encode_batch
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput, piece_sha256
from trackside.judging.settings import Settings
from trackside.judging.texts import FieldReading

ENCODER = CountingEncoder(Settings(backend="counting", revision=1, model="m", model_revision=""))
SHORT = TextInput(("red barn",), fields=(("title", "red barn"),))
LONG = TextInput(("a red barn",), is_cut=True, fields=(("title", "a red barn"),))
IMAGE = ImageInput("1" * 64)


def test_new_texts_are_encoded_and_known_ones_only_counted() -> None:
    part = [("T1", SHORT.sha256), ("T2", LONG.sha256)]
    batch = build_batch(part, {"T1": SHORT, "T2": LONG}, {SHORT.sha256}, ENCODER)

    pieces = [piece_sha256("a red"), piece_sha256("barn")]  # two words a piece
    assert batch.texts == dict(zip(pieces, ("a red", "barn"), strict=True))
    assert batch.pieces == {LONG.sha256: pieces}
    assert batch.readings == {
        SHORT.sha256: [FieldReading("title", 2, 2)],
        LONG.sha256: [FieldReading("title", 3, 3)],
    }
    assert batch.size == 2


def test_known_images_are_skipped_and_changed_items_are_gaps() -> None:
    part = [("D1", IMAGE.sha256), ("D2", "2" * 64), ("D3", "3" * 64), ("D4", "4" * 64)]
    shown: dict[str, Input | Gap] = {"D1": IMAGE, "D2": IMAGE, "D3": Gap.IMAGE_MISSING}
    batch = build_batch(part, shown, {"4" * 64}, ENCODER)

    assert batch.shown == {IMAGE.sha256: IMAGE}
    assert batch.gaps == {"2" * 64: Gap.ITEM_CHANGED, "3" * 64: Gap.IMAGE_MISSING}
    assert batch.size == 4


def test_vectors_have_the_names_of_their_inputs() -> None:
    batch = build_batch([("T1", SHORT.sha256)], {"T1": SHORT}, (), ENCODER)
    batch.images = {IMAGE.sha256: b"a barn"}

    found = encode_batch(batch, ENCODER)

    assert found.keys() == {SHORT.sha256, IMAGE.sha256}
    assert np.array_equal(found[IMAGE.sha256], ENCODER.encode_images([b"a barn"])[0])
