"""`trackside judge`: let a model grade pairs of topics and documents from plain files."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = (
    "trackside judge --topics topics.jsonl --documents pictures.zip --pairs pool.tsv \\\n"
    "    --endpoint http://127.0.0.1:8000/v1 --model llava --revision 9f1c2ab --out judged\n"
    "  trackside report --runs *.run --reference people.qrels --qrels llava=judged/judge.qrels"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add(
        "--out", required=True, metavar="FOLDER", help="write here; running the command again continues there"
    )
    _add_pairs(parser)
    _add_judge(parser)
    _add_reading(parser)
    _add_money(parser)


def _add_pairs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("what is judged").add_argument
    add("--topics", required=True, metavar="FILE", help="topics, in any format that an import reads")
    add(
        "--documents",
        required=True,
        metavar="FILE",
        help="documents or pictures: a file that an import reads, a zip with pictures, or a folder like it",
    )
    add("--pairs", metavar="FILE", help="qrels, or a pool with topic and docno in each line")
    add("--runs", nargs="+", default=[], metavar="RUN", help="instead of --pairs: pool the results of runs")
    add("--depth", type=whole(1), metavar="K", help="with --runs: results per topic of each run")
    add("--kind", metavar="KIND", help="text-to-image, image-to-text and so on (by where the pictures are)")


def _add_judge(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the judge")
    judge = group.add_mutually_exclusive_group(required=True).add_argument
    judge("--clip", metavar="PATH", help="folder or hub name of a CLIP-type model: CLIPScore")
    judge("--sentences", metavar="PATH", help="folder or hub name of a sentence encoder, for two texts")
    judge("--llava", metavar="PATH", help="folder or hub name of a vision-language model, run here")
    judge("--endpoint", metavar="URL", help="base URLs of OpenAI's chat protocol; key: see docs/judges.md")
    judge("--score-endpoint", metavar="URL", help="base URLs of a reranker: one number a pair")
    judge("--backend", metavar="NAME", help="a judge of an installed package (trackside.judges)")
    add = group.add_argument
    add("--model", default="", metavar="NAME", help="with an endpoint or --backend: the model's name")
    add("--revision", default="", metavar="REVISION", help="commit of the model, if its name has no date")
    add("--prompt", metavar="FILE", help="template, or the name of a built-in prompt (direct-grade)")
    add("--examples", metavar="FILE", help="qrels of pairs that the prompt shows at {examples}, as grades")
    add("--answer", metavar="FORM", help="form of answer: grade-0-3, relevance-1-100, labels:no=0, yes=1")
    add("--preset", metavar="NAME", help="with --clip: which fields it reads (clipscore-2021)")
    add("--prefix", metavar="TEXT", help="with --sentences: before each text, as query:<document>passage:")
    add("--fields", metavar="NAME,NAME", help="text fields that the judge reads (all)")
    add("--image-size", default="small", metavar="SIZE", help="small (336 px), original, or pixels (small)")
    add("--options", default="{}", metavar="JSON", help='options of requests, such as {"max_tokens": 16}')
    add("--seed", type=whole(0), default=0, metavar="N", help="seed that is sent with requests (0)")


def _add_reading(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("grades").add_argument
    add("--scale", metavar="GRADES", help="such as 0,1,2,3 (that of the form of answer, else 0,1,2)")
    add(
        "--rule",
        metavar="NAME",
        help="from scores to grades: as-given, expected-grade, or paper-2024 and quantiles",
    )
    add("--cuts", metavar="NUMBERS", help="fixed cuts between the grades instead, such as 50,75")


def _add_money(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("how much").add_argument
    add("--limit", type=whole(1), metavar="N", help="judge only the first N pairs")
    add("--price", metavar="IN,OUT", help="prices of a million input and output tokens, such as 0.15,0.60")
    add("--image-tokens", type=whole(0), default=0, metavar="N", help="with --price: most tokens of an image")
    add(
        "--budget",
        metavar="AMOUNT",
        help="with --price: stop before requests can cost more, all runs together",
    )
    add("--dry-run", action="store_true", help="count pairs, gaps and the highest cost; ask nothing")
    add("--retry-failed", action="store_true", help="ask pairs again whose requests failed in earlier runs")


def run(arguments: argparse.Namespace) -> int:
    """Judge the pairs and write the results; 1 if some pairs are left to be asked."""
    from trackside.grading.grading import grade_pairs  # --help needs no numpy, polars and Pillow
    from trackside.text.shown import visible_line

    lines, is_complete = grade_pairs(arguments)
    for line in lines:
        sys.stdout.write(visible_line(line) + "\n")
    return 0 if is_complete else 1
