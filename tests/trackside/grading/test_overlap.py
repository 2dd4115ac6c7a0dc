"""`trackside judge` by an encoder: pictures are decoded while the model encodes those before them."""

from collections.abc import Sequence
from threading import Event
from typing import Any, cast

from tests.judges.counting_encoder import CountingEncoder, vector_of
from trackside.grading.encoding import Encoding
from trackside.grading.pairs import Pictures
from trackside.grading.questions import Plan
from trackside.judging.inputs import Gap, ImageInput
from trackside.judging.judge import Vector
from trackside.judging.settings import Settings

PATIENCE = 60  # seconds; a busy host needs some
SETTINGS = Settings(backend="counting", revision=1, model="m", model_revision="1")
COUNT = 7


class Files:
    """Pictures whose bytes are their keys; each thread that reads one says so."""

    read: dict[str, Event]

    def __init__(self) -> None:
        self.read = {str(number): Event() for number in range(COUNT)}

    def shown(self, key: str) -> bytes | Gap:
        self.read[key].set()
        return b"broken" if key == "3" else key.encode()


class Waiting(CountingEncoder):
    """Encodes a batch once the next one is being read."""

    files: Files
    are_ready: list[bool]

    def encode_images(self, prepared: Sequence[bytes]) -> Sequence[Vector]:
        following = min(COUNT - 1, int(prepared[-1]) // 2 * 2 + 2)
        self.are_ready.append(self.files.read[str(following)].wait(PATIENCE))
        behind = [key for key in self.files.read if int(key) > following + 1]
        self.are_ready.append(not any(self.files.read[key].is_set() for key in behind))
        return [vector_of(image) for image in prepared]


def test_pictures_of_the_next_batch_and_no_others_are_decoded_while_one_is_encoded() -> None:
    encoder = Waiting(SETTINGS)
    encoder.files, encoder.are_ready = Files(), []
    encoding = Encoding(Plan({}, {}), encoder, cast("Pictures", encoder.files), SETTINGS.long_text)

    found: list[Any] = encoding.vectors([ImageInput(str(number)) for number in range(COUNT)])

    assert encoder.are_ready == [True] * 8  # four batches of two pictures, the last one of one
    assert found[3] is None  # a broken picture is no other's fault
    for number in (0, 1, 2, 4, 5, 6):
        assert found[number].tolist() == vector_of(str(number).encode()).tolist()
