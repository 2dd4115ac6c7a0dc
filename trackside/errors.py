"""Base class of errors that users can fix."""

import re


class InputError(Exception):
    """Invalid input that its author can fix.

    The text says where, what and how to fix it, and is shown verbatim. ``code`` names the problem for
    programs, as in ``run-settled``; by default it is the name of the class. ``status`` is the HTTP status of
    the API's answer. Define a class, next to the code that raises it, only if other code must tell the error
    apart.
    """

    status = 422

    def __init__(self, words: str = "", *, code: str = "", status: int = 0) -> None:
        super().__init__(words)
        self.status = status or self.status
        self.code = code or re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()


_PATH = re.compile(r"(?<![\w:/])(?:/[\w.@-]+)*/([\w.@-]+)")
LONGEST_LINE = 300  # characters of an error that pages show


def first_line(error: BaseException) -> str:
    """Return the kind and the first line of an exception, for pages: "ValueError: no such layer".

    Of paths on the server only the last part is shown.
    """
    lines = _PATH.sub(r"\1", str(error)).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}"[:LONGEST_LINE] if lines else type(error).__name__
