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
# What a topic asks, what tells more of it, and what a document is. Each other text beside a topic's question
# may be of the document that answers it: its page, its title, its caption.
_QUESTION_NAMES = "query query_text query_txt qry qry_text question question_text claim utterance"
_MORE_OF_TOPICS = """
    utterance raw_utterance desc description descr narrative narr topic_title topic_description
    topic_narrative subtopic aspect domain language relative_caption
"""
_DOCUMENT_NAMES = """
    text txt body content contents document passage passage_text paragraph segment sentence snippet excerpt
    abstract summary context markdown doc_title doc_text document_title document_text article_title
    article_text product_title product_name product_description
"""
_QUESTIONS, _DOCUMENTS = (frozenset(names.split()) for names in (_QUESTION_NAMES, _DOCUMENT_NAMES))
_ANSWERING = _TEXT_NAMES - _QUESTIONS - frozenset(_MORE_OF_TOPICS.split())
_COUNTED = re.compile(r"(?<=[a-z])[ _]?\d+\Z")
# Codes of ISO 639-1 in CLEF's EN-title and XM3600's caption_de. Codes that are other words are left out, as
# in query_id, is_title, page_no; gt_caption is no caption.
_CODES = """
    af ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy it ja ka kk kn ko lt lv mk ml
    mn mr ms my nb ne nl pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi yo zh zu
"""
_CODE = f"(?:{'|'.join(_CODES.split())})"
_LANGUAGE = re.compile(rf"\A{_CODE}_|_{_CODE}\Z")
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
_ID_NAMES = "id identifier no nr number num index idx doi isbn"
_ID_WORDS = frozenset(_ID_NAMES.split())
OTHER_LANGUAGES = " (other languages)"
STEP = "."  # between the parts of a path
ATTRIBUTE = "@"  # between an element and its attribute
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")
_CAPITAL_ID = re.compile(r"(?<=[a-z])(?=ID\Z)")


def plain(key: str) -> str:
    """A key in lower case with underscores, without any before it: "_id", "query-id", "queryId".

    Of a path, "document.title", it is the last part.
    """
    key = key.rpartition(STEP)[2] or key
    words = key if key.islower() else _CAPITAL_ID.sub("_", _CAMEL.sub("_", key.strip())).lower()
    return words.strip().replace("-", "_").replace(" ", "_").lstrip("_")


def uncounted(key: str) -> str:
    """The plain form of a key without its number: "comment 2" is one of several comments."""
    return _COUNTED.sub("", plain(key))


def find_keys(keys: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """The keys whose plain form is in ``wanted``, in its order."""
    by_plain = {plain(key): key for key in reversed(list(keys))}
    return list(dict.fromkeys(by_plain[name] for name in wanted if name and name in by_plain))


def find_key(keys: Iterable[str], wanted: Sequence[str]) -> str:
    """The key whose plain form comes first in ``wanted``; "" if there is none."""
    return next(iter(find_keys(keys, wanted)), "")


def is_text_name(key: str) -> bool:
    """Whether the field is a text by its name, also "caption 2", "EN-title" and "title_de"."""
    if ATTRIBUTE in key or key.endswith(OTHER_LANGUAGES) or (STEP in key and is_answer(key)):
        return False
    return _text_name(key) in _TEXT_NAMES


def _text_name(key: str) -> str:
    name = uncounted(key)
    return name if name in _TEXT_NAMES else _LANGUAGE.sub("", name)


def others_beside(keys: Iterable[str], *, is_topics: bool, has_picture: bool) -> set[str]:
    """Fields of the other side beside a record's own text: BoolQ's passage; of a document the query."""
    names = {key: _text_name(key) for key in keys}
    own, others = (_QUESTIONS, _ANSWERING) if is_topics else (_DOCUMENTS, _QUESTIONS)
    if not (has_picture and not is_topics) and own.isdisjoint(
        name for key, name in names.items() if STEP not in key
    ):
        return set()
    return {key for key, name in names.items() if name in others or (is_topics and STEP in key)}


def is_picture_name(key: str) -> bool:
    """Whether the field names pictures by its name, also as the path that Parquet stores beside a picture."""
    return plain(key) in PICTURES or key.endswith(f"{ATTRIBUTE}path")


def is_id_name(key: str) -> bool:
    """Whether the field may name records by the last part of its name: para_id, pubid, "Nr", "Unnamed: 0"."""
    words = plain(key).split("_")
    return not (is_answer(key) or STEP in key) and (
        words[-1] in _ID_WORDS or words[-1].endswith("id") or words[0] == "unnamed:"
    )


def is_answer(key: str) -> bool:
    """Whether a word of the field's name says that it is the right answer."""
    return any(word.lower() in _ANSWER_WORDS for word in _WORD.findall(key))


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
        or is_answer(key)
    )
