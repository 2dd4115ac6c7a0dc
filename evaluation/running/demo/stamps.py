"""Real pictures with captions and folders: the stamps that Debian's tuxpaint-stamps-default installs."""

import re
from dataclasses import dataclass
from pathlib import Path

from trackside.errors import InputError

STAMPS = Path("/usr/share/tuxpaint/stamps")
VARIANTS = ("_mirror", "_flip")  # ends of names of pictures of the same thing, without captions of their own


@dataclass(frozen=True)
class Stamp:
    """A picture, its English caption, and the folder that it lies in, such as food/fruit/cartoon."""

    path: Path
    caption: str
    folder: str


@dataclass(frozen=True)
class Wanted:
    """What a topic asks for: ``words`` is a regular expression on captions, ``folder`` the kind of thing."""

    words: str
    folder: str

    def grade(self, stamp: Stamp) -> int:
        """Return the true grade: 2 for the thing, 1 for others of its kind, 0 for all else.

        Nobody sees the captions by which this decides of pictures whose document has none.
        """
        if stamp.folder != self.folder and not stamp.folder.startswith(f"{self.folder}/"):
            return 0
        return 2 if re.search(rf"\b(?:{self.words})\b", stamp.caption, re.IGNORECASE) else 1


def read_stamps(root: Path = STAMPS) -> list[Stamp]:
    """Return the stamps with a caption, by their paths. Raises InputError where there are none."""
    stamps = [
        Stamp(path, caption, path.parent.relative_to(root).as_posix())
        for path in sorted(root.rglob("*.png"))
        if not path.stem.endswith(VARIANTS) and (caption := _caption(path))
    ]
    if not stamps:
        raise InputError(
            f"There are no pictures with captions in {root}. Install Debian's package "
            "tuxpaint-stamps-default, or run the demo of drawn pictures.",
            code="stamps-missing",
        )
    return stamps


def _caption(path: Path) -> str:
    """Return the first line of the text beside a picture: its caption in English."""
    words = path.with_suffix(".txt")
    return words.read_text(errors="replace").partition("\n")[0].strip() if words.is_file() else ""
