"""Describe the files of a bundle in Croissant 1.0, the metadata format of MLCommons for data sets."""

import json
from collections.abc import Mapping
from typing import Any

FORMS = {
    ".csv": "text/csv",
    ".gz": ["application/gzip", "text/plain"],
    ".json": "application/json",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".tsv": "text/tab-separated-values",
    ".yaml": "application/yaml",
}
OTHER_FORM = "text/plain"
SPECIFICATION = "http://mlcommons.org/croissant/1.0"
# By the ending of a file: its columns and their types. Blanks separate the columns; those without a name are
# left out. Of JSON it is a list of objects.
COLUMNS = {
    "topics.json": {"topic": "sc:Text", "text": "sc:Text"},
    ".qrels": {"topic": "sc:Text", "": "", "docno": "sc:Text", "grade": "sc:Integer"},
    ".run.gz": {
        "topic": "sc:Text",
        "": "",
        "docno": "sc:Text",
        "rank": "sc:Integer",
        "score": "sc:Float",
        "tag": "sc:Text",
    },
}
DATA_TYPE = {"@id": "cr:dataType", "@type": "@vocab"}

# The subset of the specification's context that is used here.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "dataType": DATA_TYPE,
    "dct": "http://purl.org/dc/terms/",
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "jsonPath": "cr:jsonPath",
    "recordSet": "cr:recordSet",
    "regex": "cr:regex",
    "sc": "https://schema.org/",
    "source": "cr:source",
    "transform": "cr:transform",
}


def croissant_text(
    *, name: str, description: str, version: str, sums: Mapping[str, str], more: Mapping[str, str]
) -> str:
    """The JSON-LD of a data set; ``sums`` are SHA-256 by path, ``more`` properties such as license."""
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": SPECIFICATION,
        "name": name,
        "description": description,
        "version": version,
        **{name: value for name, value in more.items() if value},
        "distribution": [_file(path, digest) for path, digest in sums.items()],
        "recordSet": [
            _records(path, path.removesuffix(ending) or "topics", columns)
            for path in sums
            for ending, columns in COLUMNS.items()
            if path.endswith(ending)
        ],
    }
    return json.dumps(metadata, ensure_ascii=False, indent=1) + "\n"


def _file(path: str, digest: str) -> dict[str, Any]:
    ending = path[path.rfind(".") :]
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": FORMS.get(ending, OTHER_FORM),
        "sha256": digest,
    }


def _records(path: str, name: str, columns: Mapping[str, str]) -> dict[str, Any]:
    """Return the record set of a file, a record for each line or object."""
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": data_type,
                "source": {"fileObject": {"@id": path}} | _extraction(path, index, column),
            }
            for index, (column, data_type) in enumerate(columns.items())
            if column
        ],
    }


def _extraction(path: str, index: int, column: str) -> dict[str, Any]:
    if path.endswith(".json"):
        return {"extract": {"jsonPath": f"$[*].{column}"}}
    regex = rf"^(?:\S+\s+){{{index}}}(\S+)"
    return {"extract": {"fileProperty": "lines"}, "transform": {"regex": regex}}
