"""Errors and limits of picture files, which need no library of pictures."""

from trackside.errors import InputError

MAX_IMAGE_BYTES = 100_000_000  # file size


class ImageUnreadable(InputError):
    """The file is not a JPEG, PNG or WEBP picture, is damaged, or has too many pixels or too long a side."""


class ImageTooThin(ImageUnreadable):
    """The picture is too thin for models: one side is much longer than the other."""
