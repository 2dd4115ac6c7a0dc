"""What answers say around a verdict: tags, boxes, copies of the scale, and numbers that are no grade.

A number behind a marker is a grade only if no noun follows it: "Relevance: 19 locks are shown" has none.
"""

import re

from trackside.judging.forms import AnswerForm
from trackside.judging.parsing.completions import AROUND_ANSWER
from trackside.judging.parsing.numbers import (
    DASH,
    LEAD,
    NUMBER,
    NUMBERS,
    UNPARSED,
    Outcome,
    Reading,
    read_number,
    value_of,
)

# \text{Grade: }2 is text with a command of LaTeX, no object with the key "Grade".
_COMMAND = re.compile(r"\\[a-z]{1,20}\s?\{", re.IGNORECASE)
_MARKING = re.compile(r"[*_`\"']")
_OPENS = r"[*_`\"'\s]{0,6})[(（\[【]"
_OPENING = re.compile(rf"(?<=\d)({_OPENS}")
_BRACKETED = re.compile(r"[(（\[【<{]\s{0,3}([^()（）\[\]【】<>{}\n]{1,80}?)\s{0,3}[)）\]】>}]")
_SCALE_WORDS = re.compile(
    r"(?:(?:on|from|in)\s)?(?:an?\s|the\s)?(?:scale\s?(?:of\s|from\s)?)?:?", re.IGNORECASE
)
_SPAN = re.compile(rf"({NUMBER})\s?{DASH}\s?({NUMBER})", re.IGNORECASE)
_LISTED = re.compile(r"\s?(?:,\s?or\s|,|/|\||\bor\b)\s?")
_BEHIND = re.compile(
    rf"\A\s?[;,]?\s?(?:on|from)\s(?:an?\s|the\s)?(?:scale\s?)?(?:of\s|from\s)?({NUMBER})\s?{DASH}\s?({NUMBER})",
    re.IGNORECASE,
)

# \boxed{2} and $\boxed{\text{2}}$
_BOX = re.compile(
    r"(?:\${1,2}|\\\(|\\\[)?\s?\\boxed\s?\{\s?(?:\\text\w{0,4}\{)?([^{}\n\\]{1,40})\}{1,2}\s?(?:\${1,2}|\\\)|\\\])?"
)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~|<(del|strike)>[^<>\n]{1,200}</\1>", re.IGNORECASE)
_LAST_TAGS = re.compile(r"(?:\s{0,9}</?[a-z_]{1,20}>){1,9}\s{0,9}\Z", re.IGNORECASE)
_TABLE = re.compile(
    r"^[^\S\n]{0,9}\|[^\n]{1,200}\n[^\S\n]{0,9}\|[\s:|-]{1,200}\|[^\S\n]{0,9}(?:\n[^\S\n]{0,9}\|[^\n]{1,2000}){1,30}",
    re.MULTILINE,
)
# 分 and the like are points, if no further letter makes them a word.
_POINTS = re.compile(r"(?<=\d)(?:\s?(?:分|点|點|점)|\s(?:points?|pts))(?!\w)", re.IGNORECASE)

_NAME = r"(?:[a-z]{1,20}[_-]){0,2}"
_KINDS = r"(?:[_-](?:score|grade|rating|level))?"

# Words that may follow a grade on its line: they say why, how sure, or of how many. A noun may not.
_GOES_ON = (
    r"(?:because|since|as|for|due|given|but|and|or|to|with|which|where|while|when|if|though|although|so|on|out|of(?!\s(?:the|its|these|those|all)\b)"
    r"|per|at|in|overall|total|that|this|is|was|would|could|might|should|may|can|will|not|rather|instead|depending|based"
    r"|points?|pts?|percent|weil|da|denn|von|aus|oder|bis|car|puisque|parce|sur|ou|porque|pues|o|perché|su"
    r"|want|omdat|i|it|the|there)\b"
)
_SAYS_RELEVANT = (
    r"(?:(?:\w{1,20}ly|very|not|quite|somewhat|exact|good|strong|weak|partial|perfect)\s){0,2}"
    r"(?:ir)?(?:relevan(?:t|ce)|related|match)\s?(?:[.,;:!–—-]|\Z)"
)
_NOUN = rf"\s(?!(?:{_GOES_ON}|{_SAYS_RELEVANT}))(?=[^\W\d_])"
_STARTS_NOUN = re.compile(_NOUN, re.IGNORECASE)
_STARTS_SENTENCE = re.compile(
    r"\s(?:The|This|That|It|Its|A|An|There|No|In|Both|Although|While|If|I|My|Reason\w*|Explanation|Justification"
    r"|Rationale|Note|Image|Picture|Photo|Das|Die|Der|Es|Le|La|L'|El|Il)\b"
)
_COMPOUND = re.compile(rf"-(?!{_SAYS_RELEVANT})(?=[^\W\d_])", re.IGNORECASE)  # "60-year-old"
_DOUBTED = re.compile(r"\s?;?\s?\?")
_SHOWS = (
    r"(?:shows?|showing|depicts?|depicting|contains?|containing|includes?|with|has|have|having|are|were|all|its|the"
    r"|these|only|images?|pictures?|photos?|figures?|sees?|seen|visible|from|in|since|until|about)"
)
_ASIDES = re.compile(
    rf"(?<!\bif\s)\b(?:not|rather\sthan|instead\sof|nicht|statt)\s(?:(?:an?|the|yet|quite|a\sfull)\s)?{NUMBER}"
    rf"|\bconfiden\w{{1,9}}\s?(?:of|is|[:=])?\s?{NUMBER}(?:\s?%)?"
    rf"|[.;]\s{NUMBER}{_NOUN}"
    rf"|\b(?:figure|fig\.?|image|picture|photo|page|step|section)\s{NUMBER}"
    rf"|(?<=[;,|])(?P<label>\s?(?:[^\W\d_]{{1,20}}\s){{0,3}}[^\W\d_]{{1,20}})\s?[:=]\s?{NUMBER}(?:\s?%)?(?!\s?/)"
    rf"|{NUMBER}\s?[=:]\s?(?=[^\W\d_])"
    rf"|\b{_SHOWS}\s{NUMBER}(?:\s?%)?(?:\sof\b)?{_NOUN}"
    rf"|{NUMBER}\s?%\sof\s(?:the|its|this|all)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    rf"{NUMBER}(?:[-−+](?=\s?(?:[.,;:)]|\Z))|\s?(?:\.{{2,3}}|…)\s?\d|\s?(?:at\s(?:most|least)|max(?:imum)?|min(?:imum)?|tops)\b)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d/–-])(?<!\bor\s)(?<!\bto\s)(?<!\band\s)\b[12]\d{3}\b(?!\s?(?:[/%–-]|out\b|of\b))")
_OUT_OF_WORDS = re.compile(
    r"\A\s?(?:out\sof|on\san?|of)\s(?:three|four|five|six|seven|eight|nine|ten|hundred)\b", re.IGNORECASE
)
_OUT_OF = re.compile(rf"({NUMBER})\s?;?\s?(?:out\sof|of|von|sur|de|из)\s({NUMBER})", re.IGNORECASE)

_DEGREE = (
    r"(?:very|highly|strongly|fully|completely|perfectly|directly|mostly|largely|moderately|partially|partly|somewhat"
    r"|fairly|slightly|marginally)"
)
_LOWEST = rf"(?:{_DEGREE}\s)?(?:irrelevant|unrelated)|not\s(?:at\sall\s)?(?:relevant|related)"
_PHRASE = rf"[ *_]{{0,5}}(?:({_LOWEST})|(?:{_DEGREE}\s)?(?:relevant|related))[*_]{{0,3}}"

REVISES = re.compile(
    r"\b(?:actually|correct(?:ion|ed|ing|\smyself)|revis\w+|updat\w+|chang\w+|reconsider\w*|scratch\sthat"
    r"|on\s(?:reflection|second\sthoughts?)|\A\s?(?:no|nope|hmm+)(?=\s?[,—–-])"
    r"|rather|instead|wait|sorry|edit|amend\w*|adjust\w*|lower\w*|rais(?:e|ed|ing)|downgrad\w+|upgrad\w+"
    r"|korrektur|korrigiert|correcci\w+|correzion\w+|correç\w+|исправлен\w+)\b|更正|修正|訂正|改为|改成",
    re.IGNORECASE,
)


def prepared(text: str, form: AnswerForm) -> str:
    """Return a text with tags, boxes and tables of grades as lines, without bracketed copies of the scale.

    "2 (the lock)" becomes "2 ; the lock", so that no word in parentheses counts as what is numbered.
    """
    if form.revision >= 6:
        text = _STRUCK.sub(" ", text)
    text = _LAST_TAGS.sub("", _lines_of_tags(text, form))
    text = _COMMAND.sub(" ", _BOX.sub(_line_of_box, text))
    text = _BRACKETED.sub(lambda match: " " if is_scale(match[1], form) else match[0], text)
    if form.revision >= 7 and not form.labels:
        text = _line_of_phrase(text, form)
    labels = "|".join(re.escape(label) for label, _ in form.labels)
    opening = re.compile(rf"\b(?:{labels})({_OPENS}", re.IGNORECASE) if labels else _OPENING
    text = _POINTS.sub("", _lines_of_table(text, form))
    return opening.sub(lambda match: f"{match[0][:-1]} ; ", text)


def _line_of_phrase(text: str, form: AnswerForm) -> str:
    """Write "Moderately relevant (Grade: 1)" as a line "grade: 1" if it is the only grade, and no quotation.

    What the words say must fit the grade: the lowest is of what is not relevant.
    """
    marker = re.escape(form.marker)
    grade = re.compile(
        rf"^{_PHRASE}[^\S\n]?\({marker}\s?[:=]\s?({NUMBER})\)[ .*_]{{0,5}}$", re.IGNORECASE | re.M
    )
    found = grade.search(text)
    if not found or len(re.findall(rf"\b{marker}\b", text, re.IGNORECASE)) > 1:
        return text
    is_lowest = value_of(found[2]) == form.lowest
    is_quoted = text[: found.start()].rstrip(" *_\n").endswith((":", "：", ","))
    if is_quoted or is_lowest != bool(found[1]):
        return text
    return f"{text[: found.start()]}{form.marker}: {found[2]}{text[found.end() :]}"


def _line_of_box(box: re.Match[str]) -> str:
    """Write a box of LaTeX as a line "answer: 2", unless a marker is before it or it is the whole answer."""
    before, behind = box.string[: box.start()].rstrip(" *"), box.string[box.end() :]
    is_alone = not before.strip() and not behind.strip(" .\n")
    return f" {box[1]} " if is_alone or before.endswith((":", "=", "：")) else f"\nanswer: {box[1]}\n"


def _lines_of_tags(text: str, form: AnswerForm) -> str:
    """Write ``<grade>2</grade>`` as a line "grade: 2"; an answer that is one ``<answer>`` stays."""
    marker = rf"{_NAME}{re.escape(form.marker)}{_KINDS}"
    names = rf"{marker}|{_NAME}(?:score|rating|grade|relevance|answer|verdict)"
    tag = re.compile(
        rf"(?:(?<=[>\n])|\A|(?=<{marker}>))\s{{0,9}}<({names})>\s{{0,9}}([^<>\n]{{1,60}}?)\s{{0,9}}</\1>",
        re.IGNORECASE,
    )
    if AROUND_ANSWER.match(text.strip()) and tag.fullmatch(text.strip()):
        return text
    return tag.sub(lambda match: f"\n{re.sub('[_-]', ' ', match[1])}: {match[2]}\n", text)


def _lines_of_table(text: str, form: AnswerForm) -> str:
    """Write the column of a table whose head is the marker as lines "grade: 2" in place of the table."""
    if not (table := _TABLE.search(text)):
        return text
    head, *rows = ([_MARKING.sub("", cell).strip() for cell in _cells(row)] for row in table[0].split("\n"))
    names = [name.casefold() for name in head]
    if form.marker.casefold() not in names:
        return text
    column = names.index(form.marker.casefold())
    grades = [row[column] for row in rows[1:] if len(row) > column]
    is_rubric = is_scale(", ".join(grades), form)
    lines = "" if is_rubric else "".join(f"\n{form.marker}: {grade}" for grade in grades)
    return f"{text[: table.start()]}{lines}\n{text[table.end() :]}"


def _cells(row: str) -> list[str]:
    return row.strip().strip("|").split("|")


def is_scale(text: str, form: AnswerForm) -> bool:
    """Return whether a text is the scale itself: "0-2", "on a scale of 0 to 2" or "0, 1, or 2"."""
    plain = _MARKING.sub("", text).strip()
    words = _SCALE_WORDS.match(plain)
    rest = plain[words.end() if words else 0 :].strip().removesuffix(" scale")
    if span := _SPAN.fullmatch(rest):
        return (value_of(span[1]), value_of(span[2])) == (form.lowest, form.highest)
    return _LISTED.split(rest) == [str(grade) for grade in range(form.lowest, form.highest + 1)]


def read_grade(line: str, form: AnswerForm, *, ok: Outcome) -> Reading:
    """Read the rest of the marker's line, without its asides; see ``read_number``."""
    plain = LEAD.sub("", line, count=1)
    number = NUMBERS.match(plain)
    if form.revision < 5 or number is None:
        return read_number(line, form, ok=ok)
    plain = without_share(number[0] + _without_scale(plain[number.end() :], form), form)
    behind = plain[number.end() :]
    if _MORE.match(plain):
        return Reading(Outcome.RANGE)
    if _DOUBTED.match(behind):
        return Reading(Outcome.AMBIGUOUS)
    if _counts_things(behind):
        return UNPARSED
    if form.revision >= 6 and _OUT_OF_WORDS.match(behind):
        return Reading(Outcome.WRONG_SCALE)
    return read_number(number[0] + _without_asides(behind), form, ok=ok)


def without_share(line: str, form: AnswerForm) -> str:
    """Return a line with "1 out of 2" as 1, if 2 is the highest grade."""
    return _OUT_OF.sub(
        lambda share: share[1] if value_of(share[2]) == form.highest else share[0], line, count=1
    )


def _without_scale(behind: str, form: AnswerForm) -> str:
    scale = _BEHIND.match(behind)
    is_same = scale and (value_of(scale[1]), value_of(scale[2])) == (form.lowest, form.highest)
    return behind[scale.end() :] if scale and is_same else behind


def _without_asides(behind: str) -> str:
    """Return the rest of a line without the numbers that it only speaks about.

    They are denied ("not 1"), of something else ("confidence: 2"), counts ("with 3 gates") or years.
    Numbers behind "or", "perhaps" and the like stay.
    """
    behind = _ASIDES.sub(lambda aside: aside[0] if REVISES.search(aside["label"] or "") else " ", behind)
    return _YEAR.sub("", behind)


def _counts_things(behind: str) -> bool:
    """Return whether what follows a number is what it counts: "19 locks", "85 % of it"."""
    behind = re.sub(r"\A\s?%(?:\s(?=of\b|sure\b|certain\b|confident\b))", " thing ", behind)
    behind = re.sub(r"\A\s?%", "", behind)
    is_noun = _STARTS_NOUN.match(behind) and not _STARTS_SENTENCE.match(behind)
    return bool(is_noun or _COMPOUND.match(behind))
