"""An item as people and models are shown it, and its hash."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from trackside.text.hashes import shown_sha256
from trackside.text.roles import NO_ROLES, Digest, Roles, make_digest


@dataclass(frozen=True)
class ItemShown:
    """Texts in reading order, and the SHA-256 of each image in order."""

    digest: Digest
    images: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """The hash of all texts and images. White space does not count: pages and models join lines."""
        digest = self.digest
        texts = [
            digest.over,
            digest.title,
            digest.path,
            f"{digest.lead} {digest.rest}",
            *chain(*digest.others),
        ]
        return shown_sha256(["".join(text.split()) for text in texts], self.images)

    @property
    def is_one_picture(self) -> bool:
        """Whether one picture is all of it, which a cell of a wall shows whole."""
        return len(self.images) == 1 and self.digest == Digest("", "", "", "", "", ())


def show_item(
    fields: Iterable[Sequence[str]], roles: Roles = NO_ROLES, images: Sequence[str] = ()
) -> ItemShown:
    """Return an item of these (name, text) fields and images, for walls, single screens and prompts."""
    return ItemShown(make_digest(fields, roles), tuple(images))
