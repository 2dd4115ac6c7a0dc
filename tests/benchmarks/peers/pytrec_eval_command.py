"""The peer of `trackside score` as a command: python pytrec_eval_command.py QRELS_COUNT QRELS... RUN...

It prints the same five means of each run under each set of qrels, and imports nothing of this project.
"""

import sys

import pytrec_eval

MEASURES = {"ndcg_cut.10", "map", "recip_rank", "recall.10,1000"}
SHOWN = ("ndcg_cut_10", "map", "recip_rank", "recall_10", "recall_1000")


def main(count: int, paths: list[str]) -> None:
    judges = []
    for path in paths[:count]:
        with open(path) as lines:  # noqa: PTH123 - pathlib would only cost it time
            judges.append(pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), MEASURES))
    for path in paths[count:]:
        with open(path) as lines:  # noqa: PTH123
            run = pytrec_eval.parse_run(lines)
        for judge in judges:
            by_topic = judge.evaluate(run).values()
            means = [sum(each[name] for each in by_topic) / len(by_topic) for name in SHOWN]
            sys.stdout.write(f"{path} {means}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
