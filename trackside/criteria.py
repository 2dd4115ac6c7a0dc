"""Grade scales: the default of new tasks, and the rules for every scale."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from trackside.errors import InputError

HIGHEST_GRADE = 100  # ERR weights grade g by 2^g
MOST_GRADES = 20
NAME_MAX, TEXT_MAX = 60, 2000  # characters
KEYS = {"grade", "name", "text"}
WRITTEN = "written"  # optional: the number in files of qrels, such as -2 for TREC's junk
LOWEST_WRITTEN = -100
NOMINAL = (
    "nominal"  # the kept answer beside the scale, such as "Unsure", as judgments and gaps of qrels name it
)
MOST_REASONS, REASON_MAX = 9, 80  # a key each; characters
EXAMPLE = '[{"grade": 0, "name": "Non-relevant", "text": "…"}, {"grade": 1, "name": "Relevant", "text": "…"}]'

# The meaning of AToMiC's three grades (Yang et al., SIGIR 2023), paraphrased.
DEFAULT_GRADES = [
    {
        "grade": 0,
        "name": "Non-relevant",
        "text": "Has nothing to do with the topic, or would mislead its reader.",
    },
    {
        "grade": 1,
        "name": "Related",
        "text": "Fits the subject that the topic belongs to, but adds nothing to what the topic itself says.",
    },
    {
        "grade": 2,
        "name": "Relevant",
        "text": "Fits what the topic itself says and helps its reader to understand it.",
    },
]


class CriteriaMalformed(InputError):
    """A grade scale is not a list of grades with names and texts."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem} Write the grades as in {EXAMPLE}.")


def check_grades(grades: object) -> None:
    """Raise CriteriaMalformed, naming the first fault, unless this is a valid grade scale in JSON.

    A scale is a list of 2 to 20 objects with the keys ``grade``, rising whole numbers from 0 to 100;
    ``name``, distinct single lines; and ``text``, which may be empty. The number that files of qrels have for
    a grade is ``written``, from -100 to 100, else the grade; it rises, too.
    """
    if not isinstance(grades, list) or not 2 <= len(grades) <= MOST_GRADES:
        raise CriteriaMalformed(f"The grades must be a list of 2 to {MOST_GRADES} objects.")
    for number, entry in enumerate(grades, start=1):
        if problem := _problem_of(entry):
            raise CriteriaMalformed(f"Grade number {number} in the list {problem}.")
    numbers = [grade["grade"] for grade in grades]
    if any(low >= high for low, high in pairwise(numbers)):
        raise CriteriaMalformed("The grades must ascend, each number once.")
    if any(low >= high for low, high in pairwise(numbers_in_files(grades).values())):
        raise CriteriaMalformed("The numbers written in files must ascend with the grades, each once.")
    if len({grade["name"] for grade in grades}) < len(grades):
        raise CriteriaMalformed("Two grades have the same name.")


def check_nominal(name: str, reasons: Sequence[str], grades: Collection[Mapping[str, Any]]) -> None:
    """Raise nominal-malformed unless this is a nominal answer of the scale, or none (no name, no reason)."""
    lines = [*filter(None, [name]), *reasons]
    if any(not line.strip() or not line.isprintable() for line in lines) or len(name) > NAME_MAX:
        problem = f"a name of at most {NAME_MAX} characters and reasons of visible characters, one a line"
    elif len(reasons) > MOST_REASONS or max(map(len, reasons), default=0) > REASON_MAX:
        problem = f"at most {MOST_REASONS} reasons of at most {REASON_MAX} characters"
    elif len({*lines, *(grade["name"] for grade in grades)}) < len(lines) + len(grades):
        problem = "a name and reasons that differ from each other and from the names of the grades"
    elif reasons and not name:
        problem = "a name if it has reasons"
    else:
        return
    raise InputError(
        f"The answer beside the grades is not saved. Give it {problem}.", code="nominal-malformed"
    )


def nominal_marks(name: str, reasons: Sequence[str]) -> dict[str, str]:
    """Return the words of each way to give the nominal answer by what a judgment stores; empty without it."""
    return {f"{NOMINAL}: {reason}": reason for reason in reasons} or ({NOMINAL: name} if name else {})


def numbers_in_files(grades: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """Return the number that files have for each grade of a scale."""
    return {entry["grade"]: entry.get(WRITTEN, entry["grade"]) for entry in grades}


def gains_of(grades: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """Return the gains that are not the grade: they are the numbers in files, and 0 for negative ones."""
    gains = {grade: max(number, 0) for grade, number in numbers_in_files(grades).items()}
    return {grade: gain for grade, gain in gains.items() if gain != grade}


def _problem_of(entry: Any) -> str:
    """The fault of one entry of a scale; empty if it is valid."""
    if not isinstance(entry, dict) or set(entry) - {WRITTEN} != KEYS:
        return 'is not an object with the keys "grade", "name" and "text", and perhaps "written"'
    grade, name, text = entry["grade"], entry["name"], entry["text"]
    if type(grade) is not int or not 0 <= grade <= HIGHEST_GRADE:  # True is an int to isinstance
        return f'has a "grade" that is not a whole number from 0 to {HIGHEST_GRADE}'
    written = entry.get(WRITTEN, grade)
    if type(written) is not int or not LOWEST_WRITTEN <= written <= HIGHEST_GRADE:
        return f'has a "written" that is not a whole number from {LOWEST_WRITTEN} to {HIGHEST_GRADE}'
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_MAX or not name.isprintable():
        return f'has a "name" that is not one line of 1 to {NAME_MAX} characters'
    if not isinstance(text, str) or len(text) > TEXT_MAX or not _is_storable(text):
        return f'has a "text" that is not a text of at most {TEXT_MAX} characters'
    return ""


def _is_storable(text: str) -> bool:
    """Whether PostgreSQL can store the text: no NUL, no unpaired surrogate."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def sound_grades(grades: object) -> list[dict[str, Any]]:
    """The stored scale, or an empty one if the row predates the rules and breaks them."""
    try:
        check_grades(grades)
    except CriteriaMalformed:
        return []
    return grades if isinstance(grades, list) else []
