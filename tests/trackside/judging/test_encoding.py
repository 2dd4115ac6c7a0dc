"""Batches of an encoder, without a database: what is encoded, counted and missing."""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from threading import Event, current_thread

import numpy as np
import pytest

from tests.judges.counting_encoder import CountingEncoder
from trackside.findings.provenance import FieldSeen, TextsSeen
from trackside.judging.encoding import (
    FieldReading,
    ahead,
    build_batch,
    encode_batch,
    pair_cosines,
    read_fields,
    sum_readings,
    sum_whole_texts,
    unseen_warnings,
)
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput, piece_sha256, text_input
from trackside.judging.settings import Settings

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


# Unit vectors whose cosines can be read off: 3-4-5 triangles.
VECTORS = {
    "east": np.array([1, 0], np.float32),
    "north": np.array([0, 1], np.float32),
    "steep": np.array([0.6, 0.8], np.float32),
    "west": np.array([-1, 0], np.float32),
}


def test_pair_cosines_keeps_the_order_of_the_pairs() -> None:
    pairs = [("north", "steep"), ("east", "west"), ("north", "west"), ("east", "steep"), ("steep", "steep")]

    assert pair_cosines(VECTORS, pairs).tolist() == pytest.approx([0.8, -1, 0, 0.6, 1])
    assert pair_cosines({}, []).shape == (0,)


PIECES = {
    "both": np.array([[1, 0], [0, 1]], np.float32),  # east and north
    "steep": np.array([[0.6, 0.8]], np.float32),
    "east": np.array([1, 0], np.float32),
}


def test_pair_cosines_of_pieces_by_their_mean() -> None:
    # The mean of east and north is north-east, (1, 1) / sqrt 2: 1.4 / sqrt 2 to 3-4-5, 1 / sqrt 2 to east.
    for policy in ("chunk-mean", "by-fields"):
        found = pair_cosines(PIECES, [("both", "steep"), ("both", "east"), ("steep", "east")], policy)
        assert found.tolist() == pytest.approx([1.4 / 2**0.5, 1 / 2**0.5, 0.6])


def test_pair_cosines_of_pieces_by_the_nearest() -> None:
    pairs = [("both", "steep"), ("both", "east"), ("steep", "both"), ("both", "both"), ("east", "steep")]

    assert pair_cosines(PIECES, pairs, "chunk-max").tolist() == pytest.approx([0.8, 1, 0.8, 1, 0.6])


def test_pair_cosine_does_not_depend_on_the_other_pairs() -> None:
    dice = np.random.default_rng(1)
    drawn = dice.normal(size=(60, 512)).astype(np.float32)
    vectors = {str(place): each / np.linalg.norm(each) for place, each in enumerate(drawn)}
    pairs = [(str(topic), str(document)) for topic in range(7) for document in range(7 + topic, 60)]

    together = pair_cosines(vectors, pairs)

    assert together.tolist() == [pair_cosines(vectors, [pair])[0] for pair in pairs]
    exact = [np.dot(vectors[one].astype(float), vectors[other].astype(float)) for one, other in pairs]
    assert together.tolist() == np.array(exact, np.float32).tolist()


def test_pair_cosines_multiply_a_topic_with_its_own_documents_only() -> None:
    # 20,000 topics with a document each: all by all would be 3.2 GB.
    vectors = {str(place): np.array([1, 0], np.float32) for place in range(40_000)}
    pairs = [(str(place), str(place + 20_000)) for place in range(20_000)]

    tracemalloc.start()
    found = pair_cosines(vectors, pairs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.tolist() == [1] * 20_000
    assert peak < 30e6


SETTINGS = Settings(backend="clip", revision=1, model="openai/clip", model_revision="a" * 40)
FIELDS = [("title", "a b"), ("text", "c d e f g"), ("page", "h i j")]


@pytest.mark.parametrize(
    ("long_text", "room", "expected"),
    [
        ("truncate", 10, [2, 5, 3]),  # 2 + 5 + 3 = 10: all of it fits
        ("truncate", 9, [2, 5, 2]),
        ("truncate", 7, [2, 5, 0]),  # the third field begins at the eighth token
        ("truncate", 1, [1, 0, 0]),
        ("truncate", 0, [0, 0, 0]),
        ("truncate", -4, [0, 0, 0]),  # the prompt alone is longer than the model reads
        ("by-fields", 4, [2, 4, 3]),  # each field has four tokens to itself
        ("by-fields", 0, [0, 0, 0]),
        ("chunk-mean", 4, [2, 5, 3]),  # as many pieces as there must be
        ("chunk-max", 1, [2, 5, 3]),
        ("chunk-max", 0, [0, 0, 0]),  # no piece has room behind the prompt
    ],
)
def test_read_fields_follows_the_long_text_policy(long_text: str, room: int, expected: list[int]) -> None:
    shown = text_input(replace(SETTINGS, long_text=long_text), FIELDS)
    assert isinstance(shown, TextInput)
    readings = read_fields(shown, [2, 5, 3], room)
    assert [(each.field, each.tokens) for each in readings] == [("title", 2), ("text", 5), ("page", 3)]
    assert [each.seen_tokens for each in readings] == expected


def test_sum_readings_counts_texts_tokens_and_what_was_never_seen() -> None:
    # Three texts; the second has no page, the third fits whole.
    texts = [
        [FieldReading("title", 2, 2), FieldReading("text", 5, 3), FieldReading("page", 3, 0)],
        [FieldReading("title", 4, 4), FieldReading("text", 6, 1)],
        [FieldReading("title", 1, 1), FieldReading("page", 2, 2)],
    ]

    found = sum_readings(texts)

    assert found == TextsSeen(
        count=3,
        cut_count=2,
        fields=(
            FieldSeen("title", texts=3, tokens=7, seen_tokens=7, never_seen_count=0),
            FieldSeen("text", texts=2, tokens=11, seen_tokens=4, never_seen_count=0),
            FieldSeen("page", texts=2, tokens=5, seen_tokens=2, never_seen_count=1),
        ),
    )
    assert [each.share for each in found.fields] == [1, 4 / 11, 2 / 5]
    assert sum_readings([]) == TextsSeen(0, 0, ())
    (no_token,) = sum_readings([[FieldReading("title", 0, 0)]]).fields
    assert (no_token.share, no_token.never_seen_count) == (None, 0)


def test_texts_that_are_read_whole_have_no_counts_of_tokens() -> None:
    assert sum_whole_texts([["title", "text"], ["text"]]) == TextsSeen(
        2, 0, (FieldSeen("title", 1, None, None, 0), FieldSeen("text", 2, None, None, 0))
    )


def test_warning_names_a_field_that_was_never_seen_in_most_texts() -> None:
    def texts(never: int) -> TextsSeen:
        return TextsSeen(40, 40, (FieldSeen("text", 40, 4000, 100, never), FieldSeen("page", 9, 9, 9, 0)))

    (warning,) = unseen_warnings(texts(39))

    assert "field text in 39 of 40 texts" in warning
    assert len(unseen_warnings(texts(21))) == 1
    assert unseen_warnings(texts(20)) == []  # half of them is not most of them


def test_ahead_works_in_another_thread_while_its_reader_works() -> None:
    begun = [Event() for _ in range(3)]

    def work(place: int) -> str:
        begun[place].set()
        return current_thread().name

    results = ahead((partial(work, place) for place in range(3)), threads=1, most=1)
    assert next(results) != current_thread().name
    assert begun[1].wait(10)  # its result is not requested yet


def test_ahead_starts_at_most_so_many_tasks_ahead() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Callable[[], int]]:
        for place in range(9):
            taken.append(place)
            yield partial(int, place)

    results = ahead(tasks(), threads=2, most=2)
    assert next(results) == 0
    assert taken == [0, 1, 2]
    assert next(results) == 1
    assert taken == [0, 1, 2, 3]
    assert list(results) == [2, 3, 4, 5, 6, 7, 8]


def test_ahead_raises_what_a_task_raises_at_its_turn() -> None:
    results = ahead([partial(int, "1"), partial(int, "one")], threads=1, most=1)

    assert next(results) == 1
    with pytest.raises(ValueError, match="one"):
        next(results)
