"""The pictures of an archive by their names."""

from pathlib import PurePosixPath

from trackside.imports.archives import ArchiveMember


class PictureIndex:
    """Finds pictures by path, file name and stem, and knows which of them are used."""

    def __init__(self, pictures: list[ArchiveMember]) -> None:
        self._by_path = {picture.name: picture for picture in pictures}
        self._by_name: dict[str, list[ArchiveMember]] = {}
        for picture in pictures:
            for name in {picture.stem, PurePosixPath(picture.name).name}:
                self._by_name.setdefault(name, []).append(picture)
        self._unused = dict.fromkeys(self._by_path)

    @property
    def is_empty(self) -> bool:
        """Whether the archive has no pictures."""
        return not self._by_path

    def find(self, name: str, folder: str) -> list[ArchiveMember]:
        """The picture at the path, from the folder or the top; else all of this file name or stem."""
        for path in (str(PurePosixPath(folder, name)), name.removeprefix("./")):
            if path in self._by_path:
                return [self._by_path[path]]
        return self._by_name.get(PurePosixPath(name).name if "/" in name else name, [])

    def use(self, picture: ArchiveMember) -> None:
        """Note that a record has the picture."""
        self._unused.pop(picture.name, None)

    def unused(self) -> list[str]:
        """The paths of pictures that no record has."""
        return list(self._unused)
