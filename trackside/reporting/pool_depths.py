"""Pool depth of each run, and the judged pairs that it contributed to the pool."""

import numpy as np

from trackside.arrays import Flags
from trackside.findings.retrieved import Retrieved
from trackside.measuring.judged import place_in_topic
from trackside.reporting.study import PEOPLE, Study

SHALLOWEST = 10  # lower bound of an inferred depth, in ranks


def contributions(study: Study) -> Flags:
    """Flag the judged pairs that each run retrieved above its known or inferred pool depth, [run, pair]."""
    found = np.zeros((len(study.runs), study.topic_of_pair.size), dtype=np.bool_)
    for row, each, depth in zip(found, study.retrieved, pool_depths(study), strict=True):
        is_judged = study.grades[PEOPLE][each.pairs] >= 0
        row[each.pairs[is_judged & (each.ranks < depth)]] = True
    return found


def pool_depths(study: Study) -> list[int]:
    """Pool depth of each run in ranks; if unknown, that to which all is judged in half of the topics."""
    runs = zip(study.runs, study.retrieved, strict=True)
    return [_inferred(study, each) if run.pool_depth is None else run.pool_depth for run, each in runs]


def depths_note(study: Study) -> str:
    """Note on whether the depths are known or inferred."""
    unknown = sum(run.pool_depth is None for run in study.runs)
    if not unknown:
        return "Pool depths are those to which the runs were pooled."
    which = "Pool depths are" if unknown == len(study.runs) else f"Pool depths of {unknown} runs are"
    return (
        f"{which} inferred from the judgments: the depth to which all results are judged in the median "
        f"topic, at least {SHALLOWEST}."
    )


def chosen_notes(study: Study) -> tuple[str, ...]:
    """Note that "unique" and "left out" refer to the chosen runs only; empty if all runs are chosen."""
    chosen = study.design.chosen
    if " runs" not in chosen:  # topics alone were chosen
        return ()
    return (f"Among the chosen runs only ({chosen}): others may have found the same items.",)


def _inferred(study: Study, found: Retrieved) -> int:
    is_judged = study.grades[PEOPLE][found.pairs] >= 0
    topics, places = study.topic_of_pair[found.pairs][is_judged], found.ranks[is_judged]
    unbroken = topics[place_in_topic(topics) == places]
    depths = np.bincount(unbroken, minlength=len(study.topics))[study.is_judged[PEOPLE]]
    return max(SHALLOWEST, int(np.median(depths)) if depths.size else 0)
