"""Where people and a judge differ most, pair by pair."""

from itertools import chain, zip_longest

import numpy as np

from trackside.findings.results import DifferFinding, TwiceGraded
from trackside.reporting.study import PEOPLE, Study

MOST_PAIRS = 24


def differ_finding(study: Study, judge: int) -> DifferFinding:
    """Count the pairs with the largest difference between the grades; keep MOST_PAIRS, topic after topic."""
    pairs = study.in_pair_order(study.shared_pairs(PEOPLE, judge))
    people, own = (study.grades[place][pairs].astype(int) for place in (PEOPLE, judge))
    gaps = np.abs(people - own)
    gap = int(gaps.max(initial=0))
    if gap == 0:
        return DifferFinding()
    of_topics: dict[str, list[TwiceGraded]] = {}
    farthest = np.flatnonzero(gaps == gap)
    for row in farthest.tolist():
        pair = int(pairs[row])
        topic = study.topics[study.topic_of_pair[pair]]
        of_topics.setdefault(topic, []).append(
            TwiceGraded(topic=topic, docno=study.docnos[pair], people=int(people[row]), judge=int(own[row]))
        )
    in_turn = chain.from_iterable(zip_longest(*of_topics.values()))
    shown = tuple(pair for pair in in_turn if pair)[:MOST_PAIRS]
    return DifferFinding(gap=gap, pair_count=farthest.size, pairs=shown)
