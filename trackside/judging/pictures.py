"""Changed pictures: a key names the stored picture and the change, which is made anew when it is shown."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from trackside.images import MID_GREY, opened

MARK = "~"  # no key of a stored picture has it
GREY, PAINTED, HALF = "grey", "painted", "half"
LEAST_LETTERS, LETTER = 8, 0.6  # pixels, and about the width of a letter of a font's size
EDGE = 0.02  # of the height, below the painted words


def picture_key(key: str, change: str, words: str = "") -> str:
    """Return the key of a stored picture that is changed, with the words that are painted."""
    return MARK.join([key, change, words])


def stored_key(key: str) -> str:
    """Return the key of the stored picture."""
    return key.partition(MARK)[0]


def as_changed(content: bytes, key: str) -> bytes:
    """Return a picture file as its key says: a JPEG of the same size, or of half the sides.

    Raises ImageUnreadable.
    """
    _, *change = key.split(MARK)
    if not change:
        return content
    picture = opened(content)
    match change:
        case [_, words] if words:
            _paint(picture := picture.copy(), words)
        case [kind, _] if kind == HALF:
            sides = max(1, picture.width // 2), max(1, picture.height // 2)
            picture = picture.resize(sides, Image.Resampling.LANCZOS)
        case _:
            picture = Image.new("RGB", picture.size, (MID_GREY,) * 3)
    file = BytesIO()
    picture.save(file, "JPEG", quality=95, subsampling=0)
    return file.getvalue()


def _paint(picture: Image.Image, words: str) -> None:
    """Write one line as wide as the picture above its lower edge, black with a white outline."""
    size = max(LEAST_LETTERS, int(picture.width / (LETTER * len(words))))
    place = (picture.width / 2, picture.height * (1 - EDGE))
    font = ImageFont.load_default(size)
    outline = max(1, size // 6)
    draw = ImageDraw.Draw(picture)
    draw.text(place, words, "black", font=font, anchor="md", stroke_width=outline, stroke_fill="white")
