"""Forms of answer: the word before the score and its scale, or labels and their grades."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from trackside.errors import InputError
from trackside.text.names import HIDDEN


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The requested answer format: ``<marker>: <number>`` on a scale, or a JSON object with that key.

    With ``labels`` the answer is one of them instead of a number, and its score is the label's grade.
    ``takes`` is "first" or "last" if the prompt declares which of two verdicts that differ is its answer.
    ``is_shown_picture`` is False for judges that read only texts. ``revision`` is that of the judge, which
    keeps its reading: up to 3 the last marker wins, and neither percents nor other markers count; in 4 any
    number behind a marker counts, and fewer words say that no picture came; in 5 a marker counts in any
    sentence; in 6 none in parentheses behind words.
    """

    marker: str
    lowest: int
    highest: int
    is_json: bool = False
    labels: tuple[tuple[str, int], ...] = ()
    takes: str = ""
    is_shown_picture: bool = True
    revision: int = 7

    def is_within(self, scale: Sequence[int]) -> bool:
        """Return whether each answer is between the lowest and the highest grade of a rising scale."""
        return scale[0] <= self.lowest and self.highest <= scale[-1]

    @property
    def scores(self) -> dict[str, int]:
        """The score of each label, as ``plain_label`` has it."""
        return {plain_label(label): score for label, score in self.labels}


HIGHEST = 100
_NUMBERED = re.compile(r"([a-z]{1,20})-(\d{1,3})-(\d{1,3})(-json)?(?:-(first|last))?")
_LABELLED = re.compile(r"labels(-json)?(?:-(first|last))?:(.+)")
# Vowels and tones of many scripts are no \w, but all are beyond ASCII and no general punctuation.
_LABEL = re.compile(
    r"\s*([^\W\d_](?:[\w '\u2019\u200c\u200d-]|[^\x00-\x7f\u2000-\u206f\u3000-\u303f])*?)\s*=\s*(\d{1,3})\s*"
)
_HIDDEN = re.compile(rf"(?!\s){HIDDEN}")


def plain_label(text: str) -> str:
    """Return a label as it is compared: in lower case, composed, without hidden characters."""
    composed = unicodedata.normalize("NFC", _HIDDEN.sub("", text).replace("\u2019", "'"))
    return unicodedata.normalize("NFC", composed.casefold())


def answer_form(name: str, *, code: str = "answer-form-unknown") -> AnswerForm:
    """Return the answer format of a name: "grade-0-3", "score-0-3-json", "labels:no=0, partly=1, yes=2".

    The first word of a numbered format is the marker before the number, or the key in JSON. At the end
    "-first" or "-last" declares which of two verdicts counts, as in "grade-0-3-last" or "labels-last:...".
    Judges store the name, so a changed format needs a new name. Raises InputError with the code.
    """
    if match := _NUMBERED.fullmatch(name):
        word, lowest, highest = match[1], int(match[2]), int(match[3])
        if lowest < highest <= HIGHEST:
            marker = word if match[4] else word.capitalize()
            return AnswerForm(marker, lowest, highest, bool(match[4]), takes=match[5] or "")
    elif match := _LABELLED.fullmatch(name):
        entries = [_LABEL.fullmatch(entry) for entry in match[3].split(",")]
        labels = tuple((entry[1], int(entry[2])) for entry in entries if entry)
        scores = [score for _, score in labels]
        is_distinct = len({plain_label(label) for label, _ in labels}) == len(set(scores)) == len(entries) > 1
        if is_distinct and max(scores) <= HIGHEST:
            marker = "grade" if match[1] else "Grade"
            takes = match[2] or ""
            return AnswerForm(marker, min(scores), max(scores), bool(match[1]), labels, takes)
    raise InputError(
        f'Choose one of {", ".join(FORMS)} as the form of answer, not "{name}". {ANSWER_HELP}', code=code
    )


FORMS = {
    f"{scale}{ending}": answer_form(f"{scale}{ending}")
    for scale in ("relevance-1-100", "grade-0-1", "grade-0-2", "grade-0-3", "grade-0-4")
    for ending in ("", "-json")
}
"""The answer formats that forms name; ``answer_form`` knows more."""
ANSWER_HELP = (
    "Such as grade-0-3, relevance-1-100-json or another word and scale up to 100; or labels and their "
    "grades, such as labels:no=0, partly=1, yes=2. Add -last, as in grade-0-3-last, if the prompt says that "
    "the last of several grades counts, or -first."
)
