"""List the files of a bundle in Croissant 1.0, the metadata format of MLCommons for data sets."""

import json
from collections.abc import Mapping
from typing import Any

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

# The subset of the specification's context that is used here.
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
    """Return the JSON-LD of a data set; ``sums`` gives the SHA-256 of each file by its path in the bundle.

    ``more`` adds properties such as license, citeAs and datePublished. Empty properties are omitted.
    """
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": SPECIFICATION,
        "name": name,
        "description": description,
        "version": version,
        **{name: value for name, value in more.items() if value},
        "distribution": [_file(path, digest) for path, digest in sums.items()],
    }
    return json.dumps(metadata, ensure_ascii=False, indent=1) + "\n"


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
