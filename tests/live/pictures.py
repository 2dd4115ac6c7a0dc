"""Pictures that any model can tell apart."""

from PIL import Image, ImageDraw


def disc(colour: str) -> Image.Image:
    picture = Image.new("RGB", (400, 400), "white")
    ImageDraw.Draw(picture).ellipse((80, 80, 320, 320), colour)
    return picture
