"""Canaries of jobs: their calls, and their pictures, which are drawn once."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from textwrap import wrap

import pgtrigger
from django.db import models
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from evaluation.collections.blobs import Image
from evaluation.collections.items import Item
from evaluation.collections.models import Document, Topic
from evaluation.collections.storing import store_images
from evaluation.tracks.visibility import SiteQuerySet
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from trackside.judging.canaries import CANARIES, Canary, Place, highest_answer
from trackside.judging.prompts import EVERY_FIELD, field_names, names_sides, shown_of


class CanaryImage(models.Model):
    """The picture of a canary, drawn once: another library version may draw other bytes."""

    name = models.CharField(max_length=60, unique=True, help_text="Name of the canary.")
    image = models.ForeignKey(Image, models.PROTECT, related_name="+")

    objects = SiteQuerySet["CanaryImage"].as_manager()

    class Meta:
        ordering = ["name"]
        triggers = [
            pgtrigger.Protect(name="canary_images_are_kept", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return self.name


def stored_pictures(pictures: Mapping[str, str]) -> dict[str, Image]:
    """Return the drawn picture of each canary by its name; ``pictures`` has the picture's name.

    Before a first job draws a picture, estimates take it for one of unknown content. A job of an earlier
    release has the picture that is named as the canary.
    """
    rows = CanaryImage.objects.filter(name__in={*pictures, *pictures.values()}).select_related("image")
    images = {picture.name: picture.image for picture in rows}
    return {
        name: images.get(picture) or images.get(name) or Image(small_id=picture, original_id=picture)
        for name, picture in pictures.items()
    }


def canary_items(
    judge: Judge, side: str, canaries: Mapping[str, Canary], sides_read: Sequence[Sequence[str]]
) -> dict[str, Item]:
    """Return canaries as unsaved topics or documents, with the fields that the judge reads."""
    if names_sides(judge.prompt):
        declared = [name for name in shown_of(judge.prompt, side) if name not in {"image", EVERY_FIELD}]
    else:
        declared = field_names(judge.prompt)
    names = judge.text_fields or declared or ["title", "caption"]
    highest = highest_answer(judge.answer)
    item = Topic if side == "topic" else Document
    texts, pictures = (
        {
            # A pair of two texts, or of two images, must not fit.
            name: canary.other_scene if item is Topic and len(sides) > 1 else canary
            for name, canary in canaries.items()
        }
        for sides in sides_read
    )
    images = stored_pictures({name: canary.picture(highest) for name, canary in pictures.items()})
    return {
        name: item(fields=canary.fields(names, highest), image=images[name]) for name, canary in texts.items()
    }


SIDES = (448, 336)
RADIUS = 120
START = (20, 30)  # of the words
LETTERS = 22  # pixels; legible at 336 px
A_LINE = 32  # characters
# Share of the levels behind faint letters, a contrast of 1.03 to 1: people see none, JPEG copies keep it.
FAINT = 252 / 255


def plant_canaries(*, job_id: int, highest: str) -> None:
    """Add a waiting call for each canary to the job, and draw pictures that the site has not stored.

    ``highest`` is the answer that instructions in pictures ask for.
    """
    names = set(CanaryImage.objects.values_list("name", flat=True))
    canaries = {name: canary for canary in CANARIES if (name := canary.picture(highest)) not in names}
    images = store_images(contents=[_painted(canary, highest) for canary in canaries.values()])
    rows = [CanaryImage(name=name, image=image) for name, image in zip(canaries, images, strict=True)]
    CanaryImage.objects.bulk_create(rows, ignore_conflicts=True)
    Call.objects.bulk_create(
        Call(job_id=job_id, topic=canary.name, docno=canary.name, is_canary=True) for canary in CANARIES
    )


def _painted(canary: Canary, highest: str) -> bytes:
    """Draw a shape on white, with the canary's words over it, legible or too faint for people, as PNG."""
    picture = Pillow.new("RGB", SIDES, "white")
    draw = ImageDraw.Draw(picture)
    (width, height), colour = SIDES, canary.scene.colour
    middle = (width / 2 - RADIUS, height / 2 - RADIUS, width / 2 + RADIUS, height / 2 + RADIUS)
    match canary.scene.shape:
        case "disc":
            draw.ellipse(middle, colour)
        case "square":
            draw.rectangle(middle, colour)
        case _:
            for left in range(40, width - 40, 80):
                draw.rectangle((left, 40, left + 40, height - 40), colour)
    if words := canary.painted(highest):
        lines, font = "\n".join(wrap(words, A_LINE)), ImageFont.load_default(LETTERS)
        if canary.place is Place.INVISIBLE:
            letters = Pillow.new("L", SIDES)
            ImageDraw.Draw(letters).multiline_text(START, lines, 255, font=font)
            picture.paste(picture.point(lambda level: round(level * FAINT)), mask=letters)
        else:
            draw.multiline_text(START, lines, "black", font=font, stroke_width=4, stroke_fill="white")
    with BytesIO() as file:
        picture.save(file, "PNG")
        return file.getvalue()
