"""Every fault a run file can have: its code for programs, its title for people, and its fix."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An error rejects the run; a warning is corrected when the run is accepted."""

    ERROR = "error"
    WARNING = "warning"


class FaultCode(StrEnum):
    """One code per kind. Codes are stored with verdicts: never rename one."""

    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    LINE_TOO_LONG = "line_too_long"
    EMPTY_FILE = "empty_file"
    NUL_BYTE = "nul_byte"
    NOT_UTF8 = "not_utf8"
    COLUMN_COUNT = "column_count"
    TAG_CHARACTERS = "tag_characters"
    TAG_LEADING_DOT = "tag_leading_dot"
    TAG_TOO_LONG = "tag_too_long"
    TAG_CHANGES = "tag_changes"
    TAG_DIFFERS = "tag_differs"
    TAG_UNAVAILABLE = "tag_unavailable"
    NO_RUN_LEFT = "no_run_left"
    UNKNOWN_TOPIC = "unknown_topic"
    TOPIC_WITHOUT_RESULTS = "topic_without_results"
    UNKNOWN_DOCNO = "unknown_docno"
    OUTSIDE_CORPUS = "outside_corpus"
    DUPLICATE_DOCNO = "duplicate_docno"
    SCORE_NOT_FINITE = "score_not_finite"
    TOO_MANY_RESULTS = "too_many_results"

    PACKED = "packed"
    BYTE_ORDER_MARK = "byte_order_mark"
    WINDOWS_LINE_ENDS = "windows_line_ends"
    BLANK_LINES = "blank_lines"
    Q0_TEXT = "q0_text"
    RANK_NOT_WHOLE = "rank_not_whole"
    RANK_NOT_COUNTED = "rank_not_counted"
    RANK_AGAINST_SCORE = "rank_against_score"
    TIED_SCORES = "tied_scores"
    RANKS_LOST = "ranks_lost"
    SCORES_ASCENDING = "scores_ascending"
    UPSIDE_DOWN = "upside_down"
    FEW_RESULTS = "few_results"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """Texts of a kind. ``cure`` says what to do; for a warning, what was done."""

    severity: Severity
    title: str
    unit: str
    cure: str


def _error(title: str, unit: str, cure: str) -> FaultKind:
    return FaultKind(Severity.ERROR, title, unit, cure)


def _warning(title: str, unit: str, cure: str) -> FaultKind:
    return FaultKind(Severity.WARNING, title, unit, cure)


KINDS = {
    FaultCode.UNREADABLE: _error(
        "File cannot be read", "file", "Pack it again with gzip, bzip2 or zstd, or send it unpacked."
    ),
    FaultCode.TOO_LARGE: _error(
        "File is too large", "file", "List fewer results per topic. Reading stopped at the limit."
    ),
    FaultCode.LINE_TOO_LONG: _error(
        "Line is too long", "line", "Write one result per line, with line ends between them."
    ),
    FaultCode.EMPTY_FILE: _error(
        "File has no results", "file", "Write one line per result: topic Q0 docno rank score tag."
    ),
    FaultCode.NUL_BYTE: _error(
        "NUL byte in a line", "line", "Save the file as plain UTF-8 text, not UTF-16."
    ),
    FaultCode.NOT_UTF8: _error("Bytes that are not UTF-8", "line", "Save the file in UTF-8."),
    FaultCode.COLUMN_COUNT: _error(
        "Line does not have six columns",
        "line",
        "Write six columns separated by blanks or tabs: topic Q0 docno rank score tag. "
        "No field may contain a blank.",
    ),
    FaultCode.TAG_CHARACTERS: _error(
        "Tag has characters that are not allowed",
        "line",
        "Use letters A to Z and a to z, digits, underscore, full stop and hyphen.",
    ),
    FaultCode.TAG_LEADING_DOT: _error(
        "Tag starts with a full stop", "line", "Start the tag with a letter or a digit."
    ),
    FaultCode.TAG_TOO_LONG: _error("Tag is too long", "line", "Choose a shorter tag."),
    FaultCode.TAG_CHANGES: _error(
        "Tag changes within the file", "line", "Write the same tag in the sixth column of every line."
    ),
    FaultCode.TAG_DIFFERS: _error(
        "Tag differs from the one declared",
        "line",
        "Change the sixth column, or declare the tag of the file.",
    ),
    FaultCode.TAG_UNAVAILABLE: _error(
        "Tag cannot be used in this task",
        "line",
        "Choose another tag, such as one that begins with your team's name. Capitals and look-alike "
        "characters make no difference.",
    ),
    FaultCode.NO_RUN_LEFT: _error(
        "Team has no run left in this task",
        "file",
        "Withdraw a run, or replace one by sending this file under its tag.",
    ),
    FaultCode.UNKNOWN_TOPIC: _error(
        "Topic is not in this task", "line", "Use only topics of the topics file, spelled exactly as there."
    ),
    FaultCode.TOPIC_WITHOUT_RESULTS: _error(
        "Topic without results",
        "topic",
        "Add results for these topics. If your system found nothing, list any one document with a low score.",
    ),
    FaultCode.UNKNOWN_DOCNO: _error(
        "Docno is not in the collection", "line", "Write docnos exactly as the collection has them."
    ),
    FaultCode.OUTSIDE_CORPUS: _error(
        "Docno is in the collection, but not in the corpus of this task",
        "line",
        "List only documents of the corpus: the task's file of docnos has them.",
    ),
    FaultCode.DUPLICATE_DOCNO: _error(
        "Docno twice in one topic", "line", "Keep the line with the higher score and remove the other."
    ),
    FaultCode.SCORE_NOT_FINITE: _error(
        "Score is not a finite number",
        "line",
        "Write a number such as 0.31 or 4e-3. nan often comes from dividing by zero: look for empty input.",
    ),
    FaultCode.TOO_MANY_RESULTS: _error(
        "Too many results for a topic", "topic", "Keep the highest scores and remove the rest."
    ),
    FaultCode.PACKED: _warning("Packed file", "file", "Unpacked; your file is stored unchanged."),
    FaultCode.BYTE_ORDER_MARK: _warning("Byte order mark", "line", "Left out."),
    FaultCode.WINDOWS_LINE_ENDS: _warning("Windows line ends", "line", "Read as plain line ends."),
    FaultCode.BLANK_LINES: _warning("Blank lines", "line", "Left out."),
    FaultCode.Q0_TEXT: _warning("Second column is not Q0", "line", "Written as Q0; the column is not used."),
    FaultCode.RANK_NOT_WHOLE: _warning(
        "Rank is not a whole number", "line", "The ranking is by score; the rank column is not used."
    ),
    FaultCode.RANK_NOT_COUNTED: _warning(
        "Ranks do not count 1, 2, 3, …", "topic", "The ranking is by score; the rank column is not used."
    ),
    FaultCode.RANK_AGAINST_SCORE: _warning(
        "Ranks go against the scores",
        "topic",
        "The ranking is by score, highest first; the rank column is not used. Is a higher score better?",
    ),
    FaultCode.TIED_SCORES: _warning(
        "Tied scores", "line", "Ordered by docno, descending, as trec_eval does."
    ),
    FaultCode.RANKS_LOST: _warning(
        "Ranks are lost among tied scores",
        "topic",
        "The ranking is by score, and ties by docno, descending: your ranks do not count. A site asks the "
        "team first: confirm the order by docno, or write scores that fall with the rank and upload again.",
    ),
    FaultCode.SCORES_ASCENDING: _warning(
        "Scores rise down the list",
        "topic",
        "The ranking is by score, highest first. Write distances as negative numbers and check again.",
    ),
    FaultCode.UPSIDE_DOWN: _warning(
        "Best scores on the last ranks",
        "topic",
        "The ranking is by score, highest first, which turns your list around. A site asks the team first: "
        "confirm that a higher score is better, or write distances as negative numbers and upload again.",
    ),
    FaultCode.FEW_RESULTS: _warning("Few results", "topic", "Accepted unchanged."),
}
