"""Faults between records, grades, runs and splits."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from trackside.auditing.findings import Findings, Kind
from trackside.files import Qrels, Rankings

Names = Collection[str]


def audit_qrels(qrels: Qrels, topics: Names | None, documents: Names | None, findings: Findings) -> None:
    """Report grades without a topic or document, and topics without a grade or a relevant document."""
    for topic, grades in qrels.items():
        items = (("topic", topic),)
        if topics is not None and topic not in topics:
            findings.add(Kind.GRADED_TOPIC_ABSENT, f"{qrels.name}: {topic}", count=len(grades))
        absent = () if documents is None else [docno for docno in grades if docno not in documents]
        for docno in absent:
            findings.add(
                Kind.GRADED_DOCUMENT_ABSENT, f"{qrels.name}: {topic} {docno}", items=(("topic", topic),)
            )
        if not any(
            grade > 0 and (documents is None or docno in documents) for docno, grade in grades.items()
        ):
            findings.add(Kind.TOPIC_WITHOUT_RELEVANT, f"{qrels.name}: {topic}", items=items)
    for topic in topics or ():
        if topic not in qrels:
            findings.add(Kind.TOPIC_NOT_GRADED, f"{qrels.name}: {topic}", items=(("topic", topic),))


def audit_run(run: Rankings, topics: Names | None, documents: Names | None, findings: Findings) -> None:
    """Report results without a topic or document."""
    for topic, scores in run.items():
        if topics is not None and topic not in topics:
            findings.add(Kind.RUN_TOPIC_ABSENT, f"{run.tag}: {topic}", count=len(scores))
        absent = () if documents is None else [docno for docno in scores if docno not in documents]
        for docno in absent:
            findings.add(Kind.FOUND_DOCUMENT_ABSENT, f"{run.tag}: {topic} {docno}")


def audit_doubles(qrels: Qrels, same_as: Mapping[str, str], findings: Findings) -> None:
    """Report doubles with different grades for a topic; ``same_as`` maps each double to the first of them."""
    for topic, grades in qrels.items():
        seen: dict[str, tuple[str, int]] = {}
        for docno, grade in grades.items():
            if grade < 0 or docno not in same_as:
                continue
            other, other_grade = seen.setdefault(same_as[docno], (docno, grade))
            if grade != other_grade:
                findings.add(
                    Kind.DOUBLES_GRADED_UNLIKE,
                    f"{qrels.name}: {topic} {other} {other_grade}, {docno} {grade}",
                    items=(("topic", topic), ("document", other), ("document", docno)),
                )


def audit_answers(qrels: Qrels, texts: Mapping[str, str], findings: Findings) -> None:
    """Report topics whose text has the docno of a relevant document as a word, if it is no plain word."""
    for topic, text in texts.items():
        words = set(text.split())
        for docno, grade in qrels.get(topic, {}).items():
            is_telling = len(docno) > 3 and any(map(str.isdigit, docno))
            if grade > 0 and is_telling and docno in words:
                findings.add(
                    Kind.ANSWER_IN_TOPIC,
                    f"{topic}: {docno}",
                    items=(("topic", topic), ("document", docno)),
                )


def audit_splits(splits: Sequence[Qrels], same_as: Mapping[str, str], findings: Findings) -> None:
    """Report topics, and relevant documents or their doubles, that are in two splits."""
    topic_of: dict[str, str] = {}
    split_of: dict[str, tuple[str, str]] = {}
    for split in splits:
        for topic in split:
            if (other := topic_of.setdefault(topic, split.name)) != split.name:
                findings.add(Kind.TOPIC_IN_TWO_SPLITS, f"{topic}: {other} and {split.name}")
        for docno in _relevant(split):
            other, first = split_of.setdefault(same_as.get(docno, docno), (split.name, docno))
            if other != split.name:
                which = docno if docno == first else f"{first} and {docno}"
                findings.add(Kind.RELEVANT_IN_TWO_SPLITS, f"{which}: {other} and {split.name}")


def _relevant(split: Qrels) -> Iterable[str]:
    return dict.fromkeys(docno for grades in split.values() for docno, grade in grades.items() if grade > 0)
