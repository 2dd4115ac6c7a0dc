"""What a person can put right."""


class InputError(Exception):
    """Input that its author can mend.

    The text says where, what and how to mend it, and is shown as it stands. Each raiser defines its own
    subclass beside itself, named after the problem.
    """
