"""Add the canary pairs to a job."""

from __future__ import annotations

from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING

from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from evaluation.actions.store_image import store_image
from judges.core.canaries import CANARIES
from judges.models import Call, CanaryImage, Job

if TYPE_CHECKING:
    from judges.core.canaries import Canary

SIDES = (448, 336)
RADIUS = 120
LETTERS = 22  # pixels; a judge that sees 336 px reads them
A_LINE = 32  # characters


def plant_canaries(*, job: Job) -> None:
    """Give the job a waiting call for each canary, and paint those that the site has not met."""
    known = set(CanaryImage.objects.values_list("name", flat=True))
    for canary in CANARIES:
        if canary.name not in known:
            image = store_image(content=_painted(canary))
            CanaryImage.objects.get_or_create(name=canary.name, defaults={"image": image})
    Call.objects.bulk_create(
        Call(job=job, topic=canary.name, docno=canary.name, is_canary=True) for canary in CANARIES
    )


def _painted(canary: Canary) -> bytes:
    """A shape on white, with the canary's words over it, as PNG."""
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
    if canary.painted:
        lines = "\n".join(wrap(canary.painted, A_LINE))
        font = ImageFont.load_default(LETTERS)
        draw.multiline_text((20, 30), lines, "black", font=font, stroke_width=4, stroke_fill="white")
    with BytesIO() as file:
        picture.save(file, "PNG")
        return file.getvalue()
