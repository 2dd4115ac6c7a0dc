"""The audit of a collection: its records, and what grades, runs and splits say of them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np

from trackside.auditing.findings import Findings, Kind
from trackside.auditing.links import audit_answers, audit_doubles, audit_qrels, audit_run, audit_splits
from trackside.auditing.pictures import PictureAudit
from trackside.auditing.texts import TextAudit
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.imports.faults import Faults
from trackside.imports.readers import read_path
from trackside.imports.records import Record, RecordMaker, sound_records


@dataclass
class Side:
    """The topics or the documents: names, texts of topics, and the first name of each set of doubles."""

    texts: TextAudit
    same_as: dict[str, str] = field(default_factory=dict)
    plain: dict[str, str] = field(default_factory=dict)


def audit(
    *,
    topics: Sequence[str] = (),
    documents: Sequence[str] = (),
    qrels: Sequence[Qrels] = (),
    runs: Iterable[Rankings] = (),
    splits: Sequence[Qrels] = (),
) -> Findings:
    """Look for faults in files of topics and documents, their pictures, qrels, runs and splits.

    Files are read as imports read them. What is not given is not looked at. Raises InputError for a file that
    cannot be read at all, or without records.
    """
    findings = Findings()
    return audit_records(
        findings=findings,
        topics=_read(topics, "topic", findings) if topics else None,
        documents=_read(documents, "document", findings) if documents else None,
        qrels=qrels,
        runs=runs,
        splits=splits,
    )


def audit_records(
    *,
    findings: Findings,
    topics: Iterable[Record] | None = None,
    documents: Iterable[Record] | None = None,
    qrels: Sequence[Qrels] = (),
    runs: Iterable[Rankings] = (),
    splits: Sequence[Qrels] = (),
) -> Findings:
    """Look for faults in records, each side read once, and in what grades, runs and splits say of them.

    A text stays in memory as hashes of 300 bytes, a picture as ones of 330.
    """
    sides = [
        None if records is None else _look_at(records, noun, findings)
        for records, noun in ((topics, "topic"), (documents, "document"))
    ]
    if sides[0] and sides[1]:
        _audit_topics(sides[0].texts, sides[1].texts, findings)
    names = [side.texts.place_of if side else None for side in sides]
    same_as = sides[1].same_as if sides[1] else {}
    for each in qrels:
        audit_qrels(each, names[0], names[1], findings)
        audit_doubles(each, same_as, findings)
        audit_answers(each, sides[0].plain if sides[0] else {}, findings)
    for run in runs:
        audit_run(run, names[0], names[1], findings)
    audit_splits(splits, same_as, findings)
    return findings


def _audit_topics(topics: TextAudit, documents: TextAudit, findings: Findings) -> None:
    """Report topics with the text of a document."""
    texts, known = topics.digests(), documents.digests()
    for row in np.flatnonzero(np.isin(texts, known) & (texts > 0)):
        double = documents.names[int(np.argmax(known == texts[row]))]
        topic = topics.names[row]
        findings.add(
            Kind.TOPIC_IS_DOCUMENT,
            f"topic {topic} and document {double}",
            items=(("topic", topic), ("document", double)),
        )


def _read(paths: Sequence[str], noun: str, findings: Findings) -> Iterator[Record]:
    is_empty = True
    for path in paths:
        faults = Faults()
        with ExitStack() as files:
            records = read_path(path, RecordMaker(faults, is_topics=noun == "topic"), files)
            for record in sound_records(records, faults, must_have_content=True):
                is_empty = False
                yield record
        findings.add_faults(path, faults)
    if is_empty:
        raise InputError(f"{', '.join(paths)}: no {noun}s in it. Name a file, a zip or a folder of {noun}s.")


def _look_at(records: Iterable[Record], noun: str, findings: Findings) -> Side:
    texts, pictures = TextAudit(findings, noun), PictureAudit(findings, noun)
    side = Side(texts)
    for record in records:
        texts.add(record)
        pictures.add(len(texts.names) - 1, record)
        if noun == "topic":
            side.plain[record.name] = " ".join(text for _, text in record.fields)
    side.same_as = _firsts([*texts.finish(), *pictures.finish()], texts.names)
    return side


def _firsts(pairs: Iterable[tuple[int, int]], names: Sequence[str]) -> dict[str, str]:
    """Return the name of the first record of each set of doubles, by the names of all in it."""
    parents: dict[int, int] = {}

    def root(row: int) -> int:
        while (parent := parents.setdefault(row, row)) != row:
            parents[row] = parents[parent]
            row = parent
        return row

    for left, right in pairs:
        low, high = sorted((root(left), root(right)))
        parents[high] = low
    return {names[row]: names[root(row)] for row in [*parents]}
