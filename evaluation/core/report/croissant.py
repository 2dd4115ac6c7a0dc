"""The list of a bundle's files in Croissant 1.0, the form in which MLCommons describes data sets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS = {
    ".csv": "text/csv",
    ".gz": "application/gzip",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".tsv": "text/tab-separated-values",
    ".yaml": "application/yaml",
}
OTHER_FORM = "text/plain"
SPECIFICATION = "http://mlcommons.org/croissant/1.0"

# As the specification gives it; what is used here and nothing else.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
}


def croissant_text(
    *, name: str, description: str, version: str, sums: Mapping[str, str], more: Mapping[str, str]
) -> str:
    """JSON-LD of a data set whose files, by path, have these SHA-256; paths lie within the bundle.

    ``more`` are further properties: license, citeAs, datePublished. Empty ones are left out.
    """
    told = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": SPECIFICATION,
        "name": name,
        "description": description,
        "version": version,
        **{name: value for name, value in more.items() if value},
        "distribution": [_file(path, digest) for path, digest in sums.items()],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _file(path: str, digest: str) -> dict[str, str]:
    ending = path[path.rfind(".") :]
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": FORMS.get(ending, OTHER_FORM),
        "sha256": digest,
    }
