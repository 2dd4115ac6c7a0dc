"""Base class of errors that users can fix."""


class InputError(Exception):
    """Invalid input that its author can fix.

    The text says where, what and how to fix it, and is shown verbatim. Define each subclass next to the code
    that raises it, and name it after the problem.
    """
