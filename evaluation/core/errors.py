"""Base class of errors that users can fix."""

import re


class InputError(Exception):
    """Invalid input that its author can fix.

    The text says where, what and how to fix it, and is shown verbatim. ``code`` names the problem for
    programs, as in ``run-settled``; by default it is the name of the class. Define a class, next to the code
    that raises it, only if other code must tell the error apart.
    """

    def __init__(self, words: str = "", *, code: str = "") -> None:
        super().__init__(words)
        self.code = code or re.sub(r"(?<!^)(?=[A-Z])", "-", type(self).__name__).lower()
