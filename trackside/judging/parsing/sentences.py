"""What a sentence says of a number in it: that it is the answer, supposed, denied, quoted or revised."""

import re
from collections.abc import Iterator

from trackside.judging.forms import AnswerForm, plain_label
from trackside.judging.parsing.asides import REVISES
from trackside.judging.parsing.numbers import NUMBER, has_words, value_of

# A number that these words follow, or precede, is one that the answer speaks about: it never counts.
_SPOKEN_OF = re.compile(
    rf"\s?{NUMBER}\s?(?:\?|(?:would|could|might|should|if|when|requires?|means?)\b)", re.IGNORECASE
)
_SPOKEN_OF_TOO = re.compile(
    rf"\s?{NUMBER}(?:\s(?:at\sbest|is|isn't|was|wasn't|seems?|can(?:not|'t)?|needs?|has|had|feels?|wäre|serait)\b|\s=\s?[^\W\d_]"
    r"|(?:\s;|,)?\s(?:unless|provided|assuming)\b|(?:\s;)?\s(?:if|wenn|si)\b(?!\si\s(?:had|have|must)))",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|nor|n't|than|instead\sof|why)(?:\s\w{1,9}){0,2}\s\Z", re.IGNORECASE)
# "If the lock were shown, Grade: 2" is no verdict; "if I had to choose: Grade: 2" is.
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppose|assuming)\b(?!\si\s(?:had|have|must))[^.;:!?]*\Z", re.IGNORECASE
)
_INVERTED = re.compile(r"(?:\A|[.!?]\s)(?:were|had|should)\b[^.;:!?]*\Z", re.IGNORECASE)
_QUOTED = re.compile(
    r"(?:\b(?:examples?(?:\s(?:output|answer))?|e\.g|says|saying|reads|states|written)\b[.:,]{0,2}|[☐✗✘❌🚫])\s?\Z",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[.;:!?,\n]\s?|\s[-–—→>|•]{1,2}\s")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Words that may stand before a marker in its sentence; others may take back the number: "far from Grade: 2".
_OWN = re.compile(
    r"so|thus|hence|therefore|and|then|as|my|our|your|the|an?|this|that|it|i|we|you|me|us|final|overall|total"
    r"|estimated|assigned|chosen|high|low|moderate|medium|image|picture|photo|document|passage|pair|item|answer|conclusion|result"
    r"|output|response|verdict|grade|rating|score|relevance|relevancy|json|is|be|to|at|gets?|receives|deserves|earns"
    r"|merits|given?|giving|assign|rate|say|choose|pick|judge|conclude|settle|go|on|in|would|will|i'd|i'll|it's"
    r"|that's|here|here's|image's|picture's|follows|correct|right|appropriate|fitting|estimate"
)

_ALSO_REVISES = re.compile(
    rf"{REVISES.pattern}|\b(?:(?:second|closer)\s(?:look|glance|inspection)|double-?check\w*|i\s(?:meant?|take)|oops"
    r"|make\s(?:that|it)|(?:my|the)\s(?:\w{1,9}\s)?(?:answer|grade|score)\sis|(?:i'll|i\swill)\sgo)\b|\A\s?(?:so|thus|hence|therefore)\b|\bso\s(?:an?\s)?(?=\d)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?。！？](?=\s|\Z)|\n")
_STOPS = r"(?=\s?(?:[.,;:!)]|\Z))"


def is_own(before: str) -> bool:
    """Return whether what stands before a marker in its sentence lets it be the answer: "so I give it"."""
    words = _WORD.findall(_PARTS.split(before)[-1].casefold())
    return not _QUOTED.search(before) and all(map(_OWN.fullmatch, words))


def is_spoken_of(before: str, line: str, form: AnswerForm) -> bool:
    """Return whether the words around a marker, and behind its number, say that it is not the answer."""
    on_line = before.rpartition("\n")[2]
    if _SPOKEN_OF.match(line) or _DENIED.search(on_line):
        return True
    if form.revision >= 6 and (_SPOKEN_OF_TOO.match(line) or _INVERTED.search(on_line) or not is_own(before)):
        return True
    return form.revision >= 5 and _SUPPOSED.search(on_line) is not None


def is_supposed(value: str) -> bool:
    """Return whether the words behind a number of JSON say that it is no answer: "2 if a lock is shown"."""
    return bool(_SPOKEN_OF.match(value) or _SPOKEN_OF_TOO.match(value))


def is_revised(behind: str, score: float, form: AnswerForm) -> bool:
    """Return whether a sentence behind a verdict changes its mind: "Actually, I would change this to 1."."""
    is_latest = form.revision >= 6
    sentences = _SENTENCE.split(behind)
    for sentence, following in zip(sentences, [*sentences[1:], ""], strict=True):
        if word := (_ALSO_REVISES if is_latest else REVISES).search(sentence):
            rest = sentence[word.end() :]
            if is_latest and has_words(following):
                rest += f". {following}"
            if any(other != score for other in _ends_of_clauses(rest, form)):
                return True
    return False


def _ends_of_clauses(text: str, form: AnswerForm) -> Iterator[float]:
    """Yield the scores, or the grades of labels, that end a clause and are not denied in it."""
    scores = form.scores if form.revision >= 6 else {}
    labels = "|".join(re.escape(label) for label in sorted(scores, key=len, reverse=True))
    ends = re.compile(rf"\b({labels}){_STOPS}" if labels else f"({NUMBER}){_STOPS}")
    for match in ends.finditer(plain_label(text) if labels else text):
        value = scores[match[1]] if labels else value_of(match[1])
        is_denied = form.revision >= 6 and _DENIED.search(match.string[: match.start()])
        if form.lowest <= value <= form.highest and not is_denied:
            yield value
