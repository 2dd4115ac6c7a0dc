"""The strata of topics from a file."""

from trackside.errors import InputError
from trackside.files.streams import Blocks, Source

_TOPIC_AND_STRATUM = 2


class NoTopics(InputError):
    """The file names no topics."""


def read_strata(source: Source) -> dict[str, str]:
    """The stratum of each topic, from lines of topic and stratum. Raises InputError."""
    blocks = Blocks(source)
    strata: dict[str, str] = {}
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        try:
            fields = line.decode().split()
        except UnicodeDecodeError:
            raise NoTopics(
                f"{blocks.name}, line {number:,}: bytes that are not UTF-8. Save the file in UTF-8."
            ) from None
        if len(fields) == _TOPIC_AND_STRATUM:
            strata[fields[0]] = fields[1]
        elif fields:
            raise NoTopics(f"{blocks.name}, line {number:,}: write a topic and its stratum, nothing else.")
    return strata
