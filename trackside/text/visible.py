"""Text from files, shown on a terminal."""


def visible_line(line: str) -> str:
    """Escape invisible characters and terminal controls."""
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in line
    )
