"""The documents on which people and judges differ most, as pictures or the beginnings of their texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from evaluation.access.people import User
from evaluation.collections.models import Document
from evaluation.reports.models import Report
from trackside.findings.results import DifferFinding, TwiceGraded

MOST_PICTURES = 24  # on a page
MOST_SMALL = 3  # beside the link to the page
BEGINNING = 160  # characters of a text


@dataclass(frozen=True)
class ShownPair:
    """A topic and a document with both grades; ``image`` is the picture's SHA-256, empty for a text."""

    pair: TwiceGraded
    image: str = ""
    image_count: int = 0
    text: str = ""


@dataclass(frozen=True)
class ShownDiffer:
    """The pairs on which one judge differs most from people."""

    name: str
    differ: DifferFinding
    pairs: list[ShownPair]


def shown_differ(report: Report, user: User | AnonymousUser) -> list[ShownDiffer]:
    """Return the pairs of each judge, with as much of the documents as the person may see."""
    judges = [judge for judge in report.summary.judges if judge.differs.pairs]
    share = max(1, MOST_PICTURES // len(judges)) if judges else 0
    documents = _documents(report, user, [pair for judge in judges for pair in judge.differs.pairs[:share]])
    differs = []
    for judge in judges[:MOST_PICTURES]:
        pairs = [_shown(pair, documents) for pair in judge.differs.pairs[:share]]
        differs.append(ShownDiffer(judge.name, judge.differs, pairs))
    return differs


def small_pictures(report: Report, user: User | AnonymousUser) -> list[str]:
    """Return the images of the first pairs that have a picture the person may see."""
    pairs = [pair for judge in report.summary.judges[:1] for pair in judge.differs.pairs[:MOST_PICTURES]]
    documents = _documents(report, user, pairs)
    images = (_shown(pair, documents).image for pair in pairs)
    return list(dict.fromkeys(image for image in images if image))[:MOST_SMALL]


def _documents(
    report: Report, user: User | AnonymousUser, pairs: Iterable[TwiceGraded]
) -> Mapping[str, Document]:
    docnos = {pair.docno for pair in pairs}
    if not docnos:
        return {}
    known = Document.objects.visible_to(user).filter(collection=report.task.collection_id, docno__in=docnos)
    return {document.docno: document for document in known.only("docno", "fields", "image", "more_images")}


def _shown(pair: TwiceGraded, documents: Mapping[str, Document]) -> ShownPair:
    document = documents.get(pair.docno)
    if document is None:
        return ShownPair(pair)
    return ShownPair(pair, document.image_id or "", document.image_count, _beginning(document.summary))


def _beginning(text: str) -> str:
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING].rsplit(' ', 1)[0]} …"
