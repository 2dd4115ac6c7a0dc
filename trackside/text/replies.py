"""Replies to the questions on a task's submission form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trackside.errors import InputError

LONGEST = 4000  # characters
YES_NO = ("yes", "no")


@dataclass(frozen=True)
class Asked:
    """A question: the ``name`` (key) of its reply, its text, and the choices, if any."""

    name: str
    text: str
    options: tuple[str, ...] = ()
    is_required: bool = False


def check_replies(questions: Iterable[Asked], replies: Mapping[str, str]) -> dict[str, str]:
    """The replies by question name, stripped of surrounding blanks, without empty ones.

    Raises reply-missing, reply-unknown.
    """
    filled = {name: reply.strip() for name, reply in replies.items() if reply.strip()}
    known = {question.name: question for question in questions}
    if strange := [name for name in filled if name not in known]:
        names = ", ".join(known) or "none"
        raise InputError(
            f"The task asks no question '{strange[0]}'. Its questions: {names}.", code="reply-unknown"
        )
    for question in known.values():
        reply = filled.get(question.name, "")
        if question.is_required and not reply:
            raise InputError(f"{question.text} This needs a reply ({question.name}).", code="reply-missing")
        if reply and question.options and reply not in question.options:
            options = ", ".join(question.options)
            raise InputError(
                f"{question.text} '{reply}' is not a choice. Choose one of: {options}.", code="reply-unknown"
            )
        if len(reply) > LONGEST:
            raise InputError(
                f"{question.text} Cut your reply ({len(reply):,} characters) to {LONGEST:,}.",
                code="reply-unknown",
            )
    return filled
