"""Static files: collected when the web server starts, with hashed names, compressed once."""

import fcntl
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Parts of django-htmx that no page uses; one imports a module that the package lacks. Then scripts with a
# minified copy, which pages load without DEBUG: they are two thirds of what would be compressed.
UNUSED = ["ext", "htmax*", "htmx-4*", "htmx-2.js", "jquery.js", "select2.full.js", "xregexp.js"]


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Adds a hash of the content to file names, also in imports between modules; browsers cache the files."""

    support_js_module_import_aggregation = True

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress only files with a hash in their names: pages use no others, and compression takes long."""
        yield from super().compress_files(set(paths) & set(self.hashed_files.values()))  # type: ignore[no-untyped-call]


def collect_static_files() -> None:
    """Collect the apps' static files if one of them changed; concurrent callers wait for each other."""
    if not settings.STATIC_ROOT:
        return  # whitenoise serves the apps' files
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    with root.with_suffix(".state").open("a+") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        state.seek(0)
        present = fingerprint()
        if state.read() != present:
            call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
            state.truncate(0)
            state.write(present)


def fingerprint() -> str:
    """Return a hash of the paths, sizes and times of all static files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(UNUSED):
            status = Path(storage.path(name)).stat()
            digest.update(f"{storage.path(name)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
