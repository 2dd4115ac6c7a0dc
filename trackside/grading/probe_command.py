"""`trackside probe`: ask whether a judge's grades depend on pictures, texts, resolution or options."""

import argparse
import sys

from trackside.cli.commands import whole
from trackside.grading.command import add_arguments as add_arguments_of_judge

EXAMPLE = (
    "trackside probe --topics topics.jsonl --documents pictures.zip --pairs people.qrels \\\n"
    "    --endpoint http://127.0.0.1:8000/v1 --model llava --revision 9f1c2ab --out judged"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: those of `trackside judge`, whose answers are used again, and a sample."""
    add_arguments_of_judge(parser)
    add = parser.add_argument_group("the probe").add_argument
    add(
        "--sample",
        type=whole(4),
        default=200,
        metavar="N",
        help="judged pairs of --pairs, people's qrels (200)",
    )
    add(
        "--probes",
        type=lambda names: names.split(","),
        metavar="NAME,NAME",
        help="of pictures, texts, again, grey, options, painted, half, and fields to leave out, such as "
        "topic.title (pictures, texts and again); --dry-run counts the requests of each",
    )
    add("--margin", type=float, default=0.05, metavar="KAPPA", help="a loss of kappa that is small (0.05)")


def run(arguments: argparse.Namespace) -> int:
    """Probe the judge and print the losses; 1 if some pairs are left to be asked."""
    from trackside.grading.probing import probe  # --help needs no numpy, polars and Pillow
    from trackside.text.shown import visible_line

    lines, is_complete = probe(arguments)
    for line in lines:
        sys.stdout.write(visible_line(line) + "\n")
    return 0 if is_complete else 1
