"""Names of fields in public files: ids, pictures, texts, and what is neither shown nor asked about."""

import re
from collections.abc import Iterable, Sequence

# Fields that name a record, in lower case with underscores, the narrower name first: a passage before its
# document. The names are those of ir_datasets, BEIR, MS MARCO, TREC, Hugging Face, COCO and AToMiC.
NAMES = (
    *("id", "docno", "topic_id", "query_id", "qid", "q_id", "question_id", "turn_id", "claim_id", "did"),
    *("passage_id", "pid", "segment_id", "chunk_id", "corpus_id", "corpusid", "doc_id", "docid"),
    *("document_id", "section_id", "text_id", "number", "num", "topic_number", "sample_id", "example_id"),
    *("data_id", "pair_id", "pairid", "guid", "uuid", "uid", "cord_uid", "pmid", "nct_id", "product_id"),
    *("image_id", "img_id", "photo_id", "key", "topic", "file_name", "filename", "image_name"),
)
IMAGE, IMAGES, NOTE, STRATUM = "image", "images", "note", "stratum"
# Fields that name the pictures of a record in an archive. Hugging Face's folders have file_name, or a list in
# file_names; M-BEIR has query_img_path and img_path.
PICTURES = (
    *("image", "file_name", "filename", "image_path", "img_path", "query_img_path", "qry_img_path"),
    *("image_file", "image_filename", "image_file_name", "image_name", "filepath", "path", "img", "picture"),
)
SEVERAL_PICTURES = (IMAGES, "file_names", "image_paths")
CAPTIONS = ("caption", "captions", "raw", "sentences", "raw_captions", "descriptions", "annotations_captions")
# Fields that are proposed as texts; every other one is asked about. None of them is an answer in a public
# collection that has another meaning for it: those are in collections.toml.
_TEXTS = """
    title headline heading headings head subject name text txt body content contents main_content document
    passage passage_text paragraph segment sentence snippet excerpt abstract summary lead selftext markdown
    query query_text query_txt qry qry_text question question_text topic utterance raw_utterance claim
    statement desc description narr narrative background keywords tags language
    caption captions raw raw_caption raw_captions sentences alt alt_text image_caption image_description
    context page page_title page_context section_title section_text section_context hierarchy hierachy
    hierarchical_section_title context_page_description context_section_description descriptions
    caption_reference_description caption_alt_text_description caption_attribution_description
    doc_title doc_text document_title document_text article_title article_text topic_title topic_description
    topic_narrative product_title product_name product_description relative_caption
    subtopic aspect concepts con domain dom smry factors fac nat nationality time definitions def
"""
_TEXT_NAMES = frozenset(_TEXTS.split())
_COUNTED = re.compile(r"(?<=[a-z])[ _]?\d+\Z")
_LANGUAGE = re.compile(r"\A[a-z]{2}_|_[a-z]{2}\Z")  # CLEF's EN-title, XM3600's caption_de
# Words of fields with the right answer, which would end the blindness of assessors and models.
_ANSWERS = """
    gold golden answer answers reasoning rationale explanation solution solutions correct relevant relevance
    qrel qrels grade grades judgment judgments judgement judgements label labels positive positives negative
    negatives pos neg ids groundtruth truth expected evidence nugget nuggets supporting excluded verdict
    verdicts falsified target targets provenance similarity hint
"""
_ANSWER_WORDS = frozenset(_ANSWERS.split())
_METADATA = "metadata split width height license licence sha256 md5 checksum exif"
_NEVER_ASKED = frozenset(_METADATA.split())
OTHER_LANGUAGES = " (other languages)"
ATTRIBUTE = "@"  # between an element and its attribute
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")
_CAPITAL_ID = re.compile(r"(?<=[a-z])(?=ID\Z)")


def plain(key: str) -> str:
    """A key in lower case with underscores, without any before it: "_id", "query-id", "queryId"."""
    words = key if key.islower() else _CAPITAL_ID.sub("_", _CAMEL.sub("_", key.strip())).lower()
    return words.strip().replace("-", "_").replace(" ", "_").lstrip("_")


def find_keys(keys: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """The keys whose plain form is in ``wanted``, in its order."""
    by_plain = {plain(key): key for key in reversed(list(keys))}
    return list(dict.fromkeys(by_plain[name] for name in wanted if name and name in by_plain))


def find_key(keys: Iterable[str], wanted: Sequence[str]) -> str:
    """The key whose plain form comes first in ``wanted``; "" if there is none."""
    return next(iter(find_keys(keys, wanted)), "")


def is_text_name(key: str) -> bool:
    """Whether the field is a text by its name, also "caption 2", "EN-title" and "title_de"."""
    if ATTRIBUTE in key or key.endswith(OTHER_LANGUAGES):
        return False
    name = _COUNTED.sub("", plain(key))
    return name in _TEXT_NAMES or _LANGUAGE.sub("", name) in _TEXT_NAMES


def is_left_out(key: str) -> bool:
    """Whether the field is left out without a question.

    It looks like the right answer, a name of the record or of its picture, an attribute or an address.
    """
    if ATTRIBUTE in key or key.endswith(OTHER_LANGUAGES):
        return True
    name = plain(key)
    return (
        name in (*NAMES, *PICTURES, *SEVERAL_PICTURES)
        or name in _NEVER_ASKED
        or name.endswith("url")
        or any(word.lower() in _ANSWER_WORDS for word in _WORD.findall(key))
    )
