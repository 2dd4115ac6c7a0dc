"""Pictures are turned, put on white, stripped of EXIF and never enlarged; others give clear errors."""

import struct
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps
from PIL.PngImagePlugin import PngInfo

from trackside import images
from trackside.image_errors import ImageTooThin, ImageUnreadable
from trackside.images import (
    derivatives,
    for_model,
    on_chosen_background,
    opened,
    opened_for_model,
)


def _file(picture: Image.Image, form: str, **options: Any) -> bytes:
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def _size(content: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(content)).size


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_derivatives_have_the_sizes_and_types_that_pages_and_models_expect(form: str) -> None:
    made = derivatives(_file(Image.new("RGB", (3000, 1500), "navy"), form))
    assert (made.width, made.height) == (3000, 1500)
    # Longer side 2,048; shorter side 336; longer side 160.
    assert _size(made.display) == (2048, 1024)
    assert _size(made.small) == (672, 336)
    assert _size(made.thumbnail) == (160, 80)
    kinds = {
        name: Image.open(BytesIO(getattr(made, name))).get_format_mimetype()
        for name in images.IMAGE_CONTENT_TYPES
    }
    assert kinds == images.IMAGE_CONTENT_TYPES


@pytest.mark.whole
def test_display_copy_of_a_long_picture_shows_its_details() -> None:
    made = derivatives(_file(Image.new("RGB", (300, 12_000), "navy"), "PNG"))
    assert _size(made.display) == (300, 12_000)  # within 2,048 px a side it would be 51 px wide
    # WEBP has at most 16,383 px a side: 60,000 / 16,383 = 3.662; 400 / 3.662 = 109.
    made = derivatives(_file(Image.new("RGB", (60_000, 400), "navy"), "PNG"))
    assert _size(made.display) == (16_383, 109)
    # 2 x 2,048 x 2,048 px = 8.39 million of 36 million: 3,000 x 0.4827 = 1,448, 12,000 x 0.4827 = 5,793.
    made = derivatives(_file(Image.new("RGB", (3_000, 12_000), "navy"), "PNG"))
    assert _size(made.display) == (1_448, 5_793)


def test_derivatives_of_a_small_picture_are_not_enlarged_and_of_a_thin_one_keep_a_pixel() -> None:
    made = derivatives(_file(Image.new("RGB", (40, 30)), "PNG"))
    assert _size(made.display) == _size(made.small) == _size(made.thumbnail) == (40, 30)
    assert _size(derivatives(_file(Image.new("RGB", (4000, 2)), "PNG")).thumbnail) == (160, 1)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_picture_for_a_model_is_the_file_itself_if_nothing_must_change(form: str) -> None:
    content = _file(Image.new("RGB", (40, 30), "navy"), form)
    assert for_model(content, longest_side=40) == content


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_of_a_moving_picture_models_get_the_first_frame_alone(form: str) -> None:
    """Endpoints refuse animations, or sample a frame that people do not see."""
    first, second = (Image.new("RGB", (40, 30), colour) for colour in ("navy", "lime"))
    sent = for_model(_file(first, form, save_all=True, append_images=[second]), longest_side=40)
    with Image.open(BytesIO(sent)) as shown:
        assert (shown.format, getattr(shown, "n_frames", 1)) == ("JPEG", 1)
        assert shown.getpixel((0, 0)) == pytest.approx((0, 0, 128), abs=4)


def test_picture_for_a_model_is_upright_on_white_and_short_enough() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = for_model(_file(Image.new("RGB", (40, 30), "navy"), "JPEG", exif=exif), longest_side=40)
    opaque = for_model(_file(Image.new("RGBA", (40, 30)), "PNG"), longest_side=40)
    shorter = for_model(_file(Image.new("RGB", (4000, 300), "navy"), "JPEG", exif=exif), longest_side=1000)

    assert (_size(turned), _size(opaque), _size(shorter)) == ((30, 40), (40, 30), (75, 1000))
    assert Image.open(BytesIO(opaque)).getpixel((0, 0)) == (255, 255, 255)
    assert not Image.open(BytesIO(turned)).getexif()
    with pytest.raises(ImageUnreadable):
        for_model(b"no picture", longest_side=40)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_opened_turns_every_orientation_as_pillow_does(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = np.zeros((2, 3, 3), np.uint8)
    pixels[0, 0] = 255  # one white corner and the sides distinguish all eight
    content = _file(Image.fromarray(pixels), "PNG", exif=exif)
    expected = ImageOps.exif_transpose(Image.open(BytesIO(content)))
    assert np.array_equal(np.asarray(opened(content)), np.asarray(expected))
    made = derivatives(content)
    assert (made.width, made.height) == expected.size


@pytest.mark.parametrize(
    ("tag", "kind", "value"),
    [
        (0x0100, 2, b"a\0\0\0"),  # a width that is a text
        (0x0100, 5, b"\0\0\0\0"),  # a width that is a fraction, nowhere
        (0x8769, 2, b"abc\0"),  # a further directory that is a text
        (0x8825, 3, b"\0\0\0\0"),  # and one at the beginning of the file
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's, of broken EXIF
def test_picture_with_broken_exif_is_accepted(tag: int, kind: int, value: bytes) -> None:
    # A TIFF directory of two tags: orientation 6, a short, and the broken one.
    tags = [(0x0112, 3, 1, b"\6\0\0\0"), (tag, kind, 1, value)]
    directory = b"".join(struct.pack("<HHI4s", *each) for each in sorted(tags))
    exif = b"Exif\0\0II*\0" + struct.pack("<IH", 8, len(tags)) + directory + bytes(4)
    made = derivatives(_file(Image.new("RGB", (40, 30)), "JPEG", exif=exif))
    assert (made.width, made.height) == (30, 40)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_copies_have_no_comment_of_the_file(form: str) -> None:
    """A comment could tell a model the grade."""
    words = PngInfo()
    words.add_text("comment", "SENTINEL")
    exif = Image.Exif()
    exif[0x010E] = "SENTINEL"
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>SENTINEL</x:xmpmeta>"
    of_form: dict[str, dict[str, Any]] = {
        "JPEG": {"comment": b"SENTINEL", "xmp": xmp, "exif": exif},
        "PNG": {"pnginfo": words},
        "WEBP": {"xmp": xmp},
    }
    content = _file(Image.new("RGB", (400, 300)), form, **of_form[form])
    assert b"SENTINEL" in content
    made = derivatives(content)
    assert not any(b"SENTINEL" in copy for copy in (made.display, made.small, made.thumbnail))
    assert b"SENTINEL" not in _file(opened_for_model(content), "JPEG")


def _logo(ink: int, *, back: int = 0, form: str = "PNG", **options: Any) -> bytes:
    """A square of this level in the middle of a clear picture, whose clear pixels have the level back."""
    picture = Image.new("RGBA", (60, 40), (back, back, back, 0))
    picture.paste((ink, ink, ink, 255), (20, 10, 40, 30))
    return _file(picture, form, **options)


@pytest.mark.parametrize(("form", "options"), [("PNG", {}), ("WEBP", {"lossless": True})])
def test_light_picture_without_a_background_gets_mid_grey_for_people_and_models(
    form: str, options: dict[str, Any]
) -> None:
    shown = on_chosen_background(_logo(255, form=form, **options))
    assert not Image.open(BytesIO(shown)).has_transparency_data
    made = derivatives(shown)
    for content in (shown, made.display, made.small, for_model(shown, longest_side=60)):
        picture = Image.open(BytesIO(content)).convert("RGB")
        assert picture.getpixel((2, 2)) == pytest.approx((128, 128, 128), abs=2)
        assert picture.getpixel((30, 20)) == pytest.approx((255, 255, 255), abs=2)
    assert on_chosen_background(shown) is shown


@pytest.mark.parametrize(
    "content",
    [_logo(0), _logo(150, back=255), _file(Image.new("L", (4, 4), 255), "PNG"), b"x"],
    ids=["dark", "grey", "opaque", "none"],
)
def test_picture_that_shows_on_white_or_is_opaque_stays_the_file(content: bytes) -> None:
    assert on_chosen_background(content) is content


def test_light_picture_is_upright_on_its_background() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert _size(on_chosen_background(_logo(255, exif=exif))) == (40, 60)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_opened_puts_transparent_pictures_on_white(mode: str) -> None:
    picture = Image.new("RGBA", (4, 4), (200, 0, 0, 0)).convert(mode)
    options = {"transparency": 0} if mode == "P" else {}
    assert opened(_file(picture, "PNG", **options)).getpixel((0, 0)) == (255, 255, 255)
    half = opened(_file(Image.new("RGBA", (2, 2), (0, 0, 0, 128)), "PNG"))
    assert half.getpixel((0, 0)) == (127, 127, 127)  # 255 (1 - 128 / 255)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        _file(Image.new("RGB", (40, 30)), "JPEG")[:200],
        _file(Image.new("RGB", (400, 300), "red"), "PNG")[:-40],
        _file(Image.new("RGB", (4, 4)), "GIF"),
        _file(Image.new("RGB", (4, 4)), "TIFF"),
    ],
    ids=["empty", "text", "svg", "cut jpeg", "cut png", "gif", "tiff"],
)
def test_opened_refuses_cut_files_and_other_formats(content: bytes) -> None:
    with pytest.raises(ImageUnreadable, match="JPEG, PNG or WEBP") as refused:
        opened(content)
    assert "object at" not in str(refused.value)  # Pillow names the address of what it cannot identify


def test_opened_scales_grey_of_sixteen_bits() -> None:
    grey = Image.fromarray(np.array([[0, 255, 256, 0x8000, 0xFFFF]], np.uint16))

    picture = opened(_file(grey, "PNG"))
    clear = opened(_file(grey, "PNG", transparency=0))

    # The upper eight bits; the value that the file calls transparent is white.
    assert list(np.asarray(picture)[0, :, 0]) == [0, 0, 1, 128, 255]
    assert list(np.asarray(clear)[0, :, 0]) == [255, 0, 1, 128, 255]
    assert picture.mode == clear.mode == "RGB"


def test_derivatives_refuse_a_side_that_no_jpeg_can_have() -> None:
    # 65,500 px is the most that libjpeg writes; the small copy of a strip of 300 px keeps its length.
    with pytest.raises(ImageUnreadable, match="65,500 on a side"):
        derivatives(_file(Image.new("1", (70_000, 300)), "PNG"))
    assert derivatives(_file(Image.new("1", (65_500, 2)), "PNG")).width == 65_500


def test_opened_refuses_more_pixels_than_memory_should_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MAX_PIXELS", 1199)
    with pytest.raises(ImageUnreadable, match="40 x 30 pixels, more than 1,199"):
        opened(_file(Image.new("RGB", (40, 30)), "PNG"))


def test_opened_for_model_refuses_a_line() -> None:
    assert opened_for_model(_file(Image.new("RGB", (100, 1)), "PNG")).size == (100, 1)
    with pytest.raises(ImageTooThin, match="1 x 101 pixels: one side is more than 100 times the other"):
        opened_for_model(_file(Image.new("RGB", (1, 101)), "PNG"))
