"""Markers of answers, and the verdicts behind them: lines that are a marker and a number or label only."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trackside.judging.forms import AnswerForm, plain_label
from trackside.judging.parsing.asides import read_grade, without_share
from trackside.judging.parsing.completions import undecorated
from trackside.judging.parsing.numbers import (
    DASH,
    LEAD,
    NUMBER,
    NUMBERS,
    UNPARSED,
    Outcome,
    Reading,
    has_words,
    on_scale,
    value_of,
)
from trackside.judging.parsing.sentences import is_own, is_revised, is_spoken_of

# "Relevance (1-100): 62" and "Relevance (out of 100): 62", without their parentheses.
_SCALE_NAMED = (
    rf"(?:\s?,?\s?(?:on\s|from\s)?(?:an?\s|the\s)?(?:scale\s?(?:of\s|from\s)?)?:?\s?"
    rf"({NUMBER})\s?{DASH}\s?({NUMBER})(?:\sscale)?|\s?(?:out\sof|of|/)\s?({NUMBER}))?"
)
_OTHER_MARKERS = (
    r"(?<!\w)(?:(?:final|overall|total)\s)?(?:score|rating|grade|relevance|relevancy|answer|verdict|judge?ment"
    r"|bewertung|relevanz|punktzahl|pertinence|puntuación|calificación|relevancia|punteggio|rilevanza"
    r"|pontuação|оценка|релевантность|评分|得分|分数|相关性|相关度|評価|スコア|関連度|점수|관련성)"
    r"(?:\s?(?:score|grade|rating|level))?"
)
_LATEST_MARKERS = (
    r"(?<!\w)(?:final|conclusion|التقييم)|(?<!\w)[\u4e00-\u9fff]{0,6}(?:评分|得分|分数|相关性|相关度|関連性)"
)
# What may be before the marker of a verdict on its line: marks of lists and quotations, and these words.
_VERDICT_START = re.compile(
    r"\s?(?:(?:[-*•·>|–—→✅]{1,3}|\d{1,2}[.)])\s?){0,3}"
    r"(?:(?:so|thus|hence|therefore|and|my|the|your|our|final|overall)[\s,:]{1,2}){0,4}",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\A[-*•·>–✅]\s")  # "- 1" on the line below a marker is a 1
_LIST_START, _LIST_NEXT = re.compile(r"1[.)]\s"), re.compile(r"\n\s?2[.)]\s")  # reasons with numbers
_JOINED = re.compile(r"\s(?:or|and|to)\s?\Z", re.IGNORECASE)
_BEFORE = 60  # characters before a marker that are looked at


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands behind one marker: a verdict if the line has nothing else."""

    start: int
    end: int
    reading: Reading
    is_verdict: bool
    is_spoken_of: bool = False


def _marker(form: AnswerForm) -> str:
    kinds = "score|grade" if form.revision < 4 else "score|grade|rating|level"
    return rf"(?<!\w){re.escape(form.marker)}(?:\s?(?:{kinds}))?"


def _colon(form: AnswerForm) -> str:
    scale = "" if form.revision < 4 or form.labels else _SCALE_NAMED
    return rf"{_marker(form)}{scale}(?:\sis)?\s?[:=]"


def _line_markers(form: AnswerForm) -> tuple[str, str]:
    """Return markers that count only on a line of their own: before a dash or in a table, and other words."""
    separators = r"\s?(?:[-–—]{1,2}>?|→|⇒|➔|\|)\s|\n(?=\S)"
    alone = rf"|\s(?={NUMBER}\s?\.?(?:\n|\Z))" if form.revision >= 5 and not form.labels else ""
    own = rf"{_marker(form)}(?:{separators}{alone})"
    others = rf"(?:{_OTHER_MARKERS}|{_LATEST_MARKERS})" if form.revision >= 5 else _OTHER_MARKERS
    if form.revision >= 6:
        others = rf"(?:{others}|(?<!\w)(?:result|output))"
    return own, rf"{others}{_SCALE_NAMED}(?:\s?[:=]|{separators})"


def _found(pattern: str, plain: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, plain, re.IGNORECASE))


def find_marks(plain: str, form: AnswerForm) -> list[Mark]:
    """Return what stands behind each marker: those of the form, else lines with another marker."""
    verbs = r"(?:is|(?:should|must|ought\sto|has\sto)\sbe|becomes)" if form.revision >= 5 else "is"
    named = rf"{_marker(form)}\s{verbs}(?=\s{NUMBER})"
    if form.revision < 4:
        patterns = (_colon(form), named)
        return _read_each(
            next(filter(None, (_found(pattern, plain) for pattern in patterns)), []), plain, form
        )
    own, other = _line_markers(form)
    strong = _read_each(
        _found(rf"{_colon(form)}|{named}" if not form.labels else _colon(form), plain), plain, form
    )
    on_lines = [mark for mark in _read_each(_found(own, plain), plain, form) if mark.is_verdict]
    marks = sorted([*strong, *on_lines], key=lambda mark: mark.start)
    if form.is_json or (marks and form.revision < 5):
        return marks
    others = [
        mark for mark in _read_each(_found(other, plain), plain, form, has_remark=True) if mark.is_verdict
    ]
    return [*marks, *_later_than_first(marks, others)] if marks else others


def _later_than_first(marks: Sequence[Mark], others: Sequence[Mark]) -> list[Mark]:
    """Return verdicts behind other markers that follow the first one: "Grade: 1", "Final answer: 2"."""
    first = next((mark.end for mark in marks if mark.is_verdict), None)
    ends = {mark.end for mark in marks}
    return [mark for mark in others if first is not None and mark.start >= first and mark.end not in ends]


def _read_each(
    found: Sequence[re.Match[str]], plain: str, form: AnswerForm, *, has_remark: bool = False
) -> list[Mark]:
    """Read each marker up to the next one: "20 or Relevance: 70" has a 20 before the second.

    With ``has_remark`` a verdict may have one in parentheses, or behind a label's stop.
    """
    ends = [*(match.start() for match in found[1:]), len(plain)][: len(found)]
    texts = [plain[match.end() : end] for match, end in zip(found, ends, strict=True)]
    texts[:-1] = [_JOINED.sub("", text) for text in texts[:-1]]
    return [
        _read_mark(match, text, plain, form, has_remark=has_remark and form.revision >= 5)
        for match, text in zip(found, texts, strict=True)
    ]


def _read_mark(match: re.Match[str], behind: str, plain: str, form: AnswerForm, *, has_remark: bool) -> Mark:
    line = behind.lstrip(" \n").partition("\n")[0].rstrip(" |")
    reading = _behind(behind, form)
    scale = [value_of(end) for end in match.groups() if end]
    if (
        scale
        and scale not in ([form.lowest, form.highest], [form.highest])
        and reading.outcome is not Outcome.UNPARSED
    ):
        reading = Reading(Outcome.WRONG_SCALE)
    before = plain[max(0, match.start() - _BEFORE) : match.start()]
    is_start = _VERDICT_START.fullmatch(before.rpartition("\n")[2]) and (form.revision < 6 or is_own(before))
    grade = LEAD.sub("", line, count=1)
    if form.revision >= 5:
        grade = without_share(grade, form)
    if has_remark:
        grade = grade.partition(" ;")[0]
    is_alone = (has_remark or _is_label_only(line, form)) if form.labels else not has_words(grade)
    return Mark(
        match.start(),
        match.end(),
        reading,
        is_verdict=is_alone and reading != UNPARSED and bool(is_start),
        is_spoken_of=is_spoken_of(before, line, form),
    )


def _behind(text: str, form: AnswerForm) -> Reading:
    """Read what follows a marker.

    On a line below it a number may start a list or a sentence, so it must be alone on that line.
    """
    line = text.lstrip().partition("\n")[0].rstrip(" |")
    if form.labels:
        return read_label(line, form)
    if form.revision >= 6 and _LIST_START.match(line) and _LIST_NEXT.search(text):
        return UNPARSED
    is_anchored = not text.startswith("\n") or not has_words(line)
    if form.revision >= 5 and text.startswith("\n"):
        line = _BULLET.sub("", line)
    return read_grade(line, form, ok=Outcome.OK) if is_anchored else UNPARSED


def one_reading(marks: Sequence[Mark], plain: str, form: AnswerForm) -> Reading:
    """Return the only reading of all marks that count: from the first verdict on, or all without one."""
    read = [mark for mark in marks if mark.reading.outcome is not Outcome.UNPARSED]
    if form.revision < 4:
        return _last_of(marks, plain) if marks else UNPARSED
    verdicts = [mark for mark in read if mark.is_verdict]
    if form.takes and (choice := verdicts or read):
        return choice[0 if form.takes == "first" else -1].reading
    counted = [mark for mark in read if not verdicts or mark.start >= verdicts[0].start]
    if all(mark.is_spoken_of for mark in counted):
        return UNPARSED
    readings = {mark.reading for mark in counted}
    if verdicts:
        behind = plain[verdicts[0].start :]
        readings |= set(_bare_labels(behind, form) if form.labels else _bare_lines(behind, form))
        score = verdicts[0].reading.score
        if form.revision >= 5 and score is not None and is_revised(plain[verdicts[0].end :], score, form):
            return Reading(Outcome.AMBIGUOUS)
    return readings.pop() if len(readings) == 1 else Reading(Outcome.AMBIGUOUS)


def _bare_lines(plain: str, form: AnswerForm) -> Iterator[Reading]:
    """Yield the scores of lines that are a number only: beside a verdict they may be a second one."""
    marks = " .|➡️→⇒=>•✅" if form.revision >= 5 else " .|"
    for line in plain.split("\n"):
        if NUMBERS.fullmatch(line.strip(marks)):
            reading = on_scale(value_of(line.strip(marks)), form, ok=Outcome.OK)
            if reading.score is not None:
                yield reading


def read_line_apart(plain: str, form: AnswerForm) -> Reading:
    """Read a first or last line that is a number only: "2", a blank line, and the reasons."""
    lines = plain.split("\n")
    is_answer = NUMBERS.fullmatch(lines[0]) or (NUMBERS.fullmatch(lines[-1]) and lines[-2][-1:] not in ":：")
    readings = set(_bare_lines(plain, form)) if len(lines) > 1 and is_answer else set()
    return UNPARSED if not readings else readings.pop() if len(readings) == 1 else Reading(Outcome.AMBIGUOUS)


def _bare_labels(plain: str, form: AnswerForm) -> Iterator[Reading]:
    """Yield the grades of lines that are a label only."""
    for line in plain.split("\n") if form.revision >= 5 else ():
        if _is_label_only(line, form):
            yield read_label(line, form)


def _last_of(marks: Sequence[Mark], plain: str) -> Reading:
    """Return the last reading; ambiguous if the one before it is on its line and gives another score."""
    last = marks[-1].reading
    if len(marks) == 1 or last.score is None or "\n" in plain[marks[-2].end : marks[-1].start]:
        return last
    return last if marks[-2].reading.score in (None, last.score) else Reading(Outcome.AMBIGUOUS)


def is_before_score(text: str, form: AnswerForm) -> bool:
    """Return whether a text ends with a marker, so that a number after it is a score."""
    return any(
        re.search(rf"{pattern}\s?{LEAD.pattern}\Z", undecorated(text), re.IGNORECASE)
        for pattern in (
            _colon(form),
            rf"{_marker(form)}\sis",
            *(() if form.revision < 4 else _line_markers(form)),
        )
    )


# Also the stops of Chinese, Hindi, Arabic, Urdu and Amharic. A label before a question mark is asked about.
_STOPS = r"[.,;:!)(|\n。、।॥؟،؛۔።፣]|[-–—]\s|\Z"
_LABEL_END = re.compile(rf"\s?(?:{_STOPS}|\?)")
_ANSWER_END = re.compile(rf"\s?(?:{_STOPS}|\bbecause\b)")
_PARTS = re.compile(r"[.,;:!?|/()\n。、।؟،؛]|\s[-–—]\s|…")
_NO_LABELS = frozenset({"no", "not", "not really", "not quite", "false"})
_NEARLY = re.compile(r"\A(?:almost|nearly|close\sto)\s")
_CONDITION = re.compile(r"\s?[,;(]?\s?(?:only\s)?(?:if|unless|provided|assuming)\b(?!\si\s(?:had|have|must))")
_HEDGES = re.compile(
    r"\A(?:(?:but|only|just|or|and|rather|actually|wait|instead|maybe|perhaps|now|even|more|it\sis|it's)\s)+"
)


def read_label(text: str, form: AnswerForm) -> Reading:
    """Return the grade of the one label that a text begins with.

    Ambiguous if another label stands alone between stops on its line, or on a later one: "yes, no".
    """
    answer = plain_label(text.strip(" \n\"'“”*`"))
    ends = _ANSWER_END if form.revision >= 5 else _LABEL_END
    found = {
        (score, len(label))
        for label, score in form.scores.items()
        if answer.startswith(label)
        and (ends.match(answer, len(label)) or (form.revision >= 5 and answer[len(label) :] == f" {score}"))
    }
    if len(found) != 1:
        return UNPARSED
    score, end = found.pop()
    line, _, below = answer[end:].partition("\n")
    if form.revision >= 6 and (_CONDITION.match(line) or is_revised(answer[end:], score, form)):
        return Reading(Outcome.AMBIGUOUS)
    others = [_HEDGES.sub("", part.strip()) for part in _PARTS.split(line)] + below.split("\n")
    if form.revision >= 5 and any(form.scores.get(part.strip(" .|"), score) != score for part in others):
        return Reading(Outcome.AMBIGUOUS)
    if form.revision >= 6 and any(_is_other(part.strip(), score, form) for part in _PARTS.split(line)):
        return Reading(Outcome.AMBIGUOUS)
    return Reading(Outcome.OK, float(score))


def _is_other(part: str, score: int, form: AnswerForm) -> bool:
    """Return whether a part of a label's line takes it back, or is another grade: "relevant (not)"."""
    is_number = NUMBERS.fullmatch(part) and value_of(part) != score
    is_near = form.scores.get(_NEARLY.sub("", part), score) != score
    return bool(is_number) or is_near or (part in _NO_LABELS and part not in form.scores)


def _is_label_only(line: str, form: AnswerForm) -> bool:
    return plain_label(line.strip(" \n\"'“”*`.!。|")) in form.scores
