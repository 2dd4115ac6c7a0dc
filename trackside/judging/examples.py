"""Judged pairs as examples in a prompt, filled in where a judge is made: they are part of its identity.

A filled-in example is ``{example TOPIC}``, its words, with pictures as ``{picture KEY}``, and ``{/example}``.
A pair of that topic is shown the other examples only.
"""

import json
import re
from collections.abc import Mapping, Sequence

from trackside.errors import InputError
from trackside.judging.forms import AnswerForm
from trackside.text.counted import counted

EXAMPLES = "{examples}"
PICTURE = r"\{picture ([0-9a-f]{64})\}"
_EXAMPLE = re.compile(r"\{example ([^\n]+)\}\n(.*?)\{/example\}\n?", re.DOTALL)
_FILLED_IN = re.compile(rf"\{{/?example[ }}]|{PICTURE}")
Pair = tuple[str, str]  # topic and docno
Side = tuple[str, Sequence[tuple[str, str]], Sequence[str]]  # its heading, texts by label, keys of pictures


def example_topics(template: str) -> tuple[str, ...]:
    """Return the topics of a template's examples, each once: its judge was told people's grades of them."""
    return tuple(dict.fromkeys(match[1] for match in _EXAMPLE.finditer(template)))


def of_other_topics(template: str, topic: str) -> str:
    """Return a template as pairs of a topic are shown it: without the examples of the topic itself."""
    return _EXAMPLE.sub(lambda match: "" if match[1] == topic else match[2], template)


def left_out_words(template: str) -> str:
    """Return which topics a judge's grades lack because of its examples; empty without examples."""
    if topics := example_topics(template):
        named = ", ".join(topics)
        return (
            f"The prompt shows people's grades of pairs of {counted(len(topics), 'topic')} as examples: "
            f"{named}. No grade of the judge and no comparison includes these topics."
        )
    return ""


def is_filled(template: str) -> bool:
    """Return whether a template has filled-in examples or pictures, which only making a judge writes."""
    return _FILLED_IN.search(template) is not None


def example_block(topic: str, sides: Sequence[Side], answer: str) -> str:
    """Return a judged pair as a filled-in example; texts cannot imitate its marks or a placeholder."""
    lines = [f"{{example {topic}}}", "Example, graded by people:"]
    for heading, texts, pictures in sides:
        words = [f"{label}: {text}" for label, text in texts]
        lines += [heading, *(word.replace("{", "(").replace("}", ")") for word in words)]
        lines += [f"{{picture {key}}}" for key in pictures]
    return "\n".join([*lines, answer, "{/example}", ""])


def answer_words(form: AnswerForm, grade: int) -> str:
    """Return a grade as the prompt asks for it. Raises examples-refused for one that it cannot express."""
    labels = {score: label for label, score in form.labels}
    if grade not in (labels or range(form.lowest, form.highest + 1)):
        raise InputError(
            f"An example has the grade {grade}, and the prompt does not ask for such grades. Choose a prompt "
            "whose form of answer is people's scale, such as grade-0-2.",
            code="examples-refused",
        )
    word = labels.get(grade, grade)
    return json.dumps({form.marker: word}) if form.is_json else f"{form.marker}: {word}"


def check_graded(examples: Mapping[Pair, int], people: Mapping[Pair, int]) -> None:
    """Raise examples-refused for a pair that people did not grade, or graded otherwise."""
    for (topic, docno), grade in examples.items():
        if people.get((topic, docno)) != grade:
            graded = people.get((topic, docno), "no grade")
            raise InputError(
                f"The example {topic} {docno} has the grade {grade}, and people's latest published qrels "
                f"have {graded}. Copy the lines from them.",
                code="examples-refused",
            )
