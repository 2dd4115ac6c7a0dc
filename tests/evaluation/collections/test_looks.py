"""Pictures of earlier releases get what near-duplicates share, from their copies, some at a time."""

from io import BytesIO

import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from PIL import Image as Picture

from evaluation.collections import storing
from evaluation.collections.storing import add_looks, store_image
from evaluation.config.queues import SCHEDULE
from evaluation.models import Image
from evaluation.tasks import sweep_pictures

pytestmark = pytest.mark.django_db
FIELDS = ("gradients", "colours")


def store(seed: int) -> Image:
    """A picture of soft spots, as an import stores it."""
    spots = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    with BytesIO() as file:
        Picture.fromarray(spots).resize((800, 600), Picture.Resampling.BICUBIC).save(file, "PNG")
        return store_image(content=file.getvalue())


def make_earlier(image: Image) -> Image:
    """The same picture as an earlier release stored it."""
    Image.objects.filter(pk=image.pk).delete()
    fields = {**image.__dict__, "gradients": None, "colours": None}
    return Image.objects.create(**{name: fields[name] for name in fields if not name.startswith("_")})


def test_looks_are_nearly_those_of_an_import_and_are_computed_once() -> None:
    known = [store(seed) for seed in range(3)]
    for image in known:
        make_earlier(image)
    add_looks()
    for image in known:
        stored = Image.objects.get(pk=image.pk)
        assert image.gradients is not None
        assert stored.gradients is not None
        assert (
            image.gradients ^ stored.gradients
        ).bit_count() <= 2  # of the 4 that near-duplicates may differ
        made, again = (np.frombuffer(bytes(each.colours or b""), np.uint8) for each in (image, stored))
        assert (
            np.abs(made.astype(int) - again.astype(int)).max() <= 3
        )  # of the 10 that near-duplicates may differ
    with CaptureQueriesContext(connection) as queries:
        add_looks()
    assert len(queries) == 1


def test_some_pictures_are_read_at_each_call_and_unreadable_ones_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storing, "LOOKS_AT_ONCE", 2)
    lost, broken, whole = (make_earlier(store(seed)) for seed in range(3))
    default_storage.delete(lost.small.path)
    default_storage.delete(broken.thumbnail.path)
    with default_storage.open(broken.thumbnail.path, "wb") as file:
        file.write(b"no picture")
    for left in (1, 0, 0):
        sweep_pictures()
        assert Image.objects.filter(colours=None).count() == left
    looks = dict(Image.objects.values_list("pk", "gradients"))
    assert (looks[lost.pk], looks[broken.pk]) == (None, None)
    assert looks[whole.pk] is not None
    assert "evaluation.sweep_pictures" in SCHEDULE


@pytest.mark.parametrize("change", [{"width": 1}, {"gradients": 1}, {"colours": b""}])
def test_nothing_else_of_a_picture_changes(change: dict[str, object]) -> None:
    image = store(1)
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        Image.objects.filter(pk=image.pk).update(**change)
