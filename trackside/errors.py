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
