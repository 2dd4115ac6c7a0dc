"""An item as people and models are shown it, and its hash."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from trackside.text.hashes import shown_sha256
from trackside.text.roles import NO_ROLES, Digest, Roles, make_digest
from trackside.text.visible import visible_fields


@dataclass(frozen=True)
class ItemShown:
    """Visible (name, text) fields in reading order, their roles, and the SHA-256 of each image in order."""

    fields: tuple[tuple[str, str], ...]
    roles: Roles
    images: tuple[str, ...]

    @property
    def texts(self) -> list[tuple[str, str]]:
        """The fields that have a text."""
        return [(name, text) for name, text in self.fields if text.strip()]

    @cached_property
    def digest(self) -> Digest:
        """Its texts, sorted by their roles."""
        return make_digest(self.texts, self.roles)

    @property
    def sha256(self) -> str:
        """The hash of all texts and images. White space does not count: pages and models join lines."""
        digest, main = self.digest, f"{self.digest.lead} {self.digest.rest}"
        texts = (digest.over, digest.title, digest.path, main, *chain(*digest.others))
        return shown_sha256(["".join(text.split()) for text in texts], self.images)

    @property
    def is_one_picture(self) -> bool:
        """Whether one picture is all of it, which a cell of a wall shows whole."""
        return len(self.images) == 1 and not self.texts


def show_item(
    fields: Iterable[Sequence[str]], roles: Roles = NO_ROLES, images: Sequence[str] = ()
) -> ItemShown:
    """Return an item of these (name, text) fields and images, for walls, single screens and prompts.

    Invisible characters are left out.
    """
    return ItemShown(tuple(visible_fields(fields)), roles, tuple(images))
