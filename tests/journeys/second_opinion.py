"""The report's expected numbers, by trec_eval's own code, scipy and plain formulas."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytrec_eval
from PIL import Image as Picture
from scipy.stats import kendalltau, pearsonr, spearmanr

from evaluation.models import Document
from tests.journeys.small_track import GRADES, IN_FAMILY, PROMPT, RESULTS, TOPICS, run_file
from tests.judges.tiny_clip import plain_cosines

Grades = Mapping[str, Mapping[str, int]]

TREC_EVAL_NAMES = {"nDCG@10": "ndcg_cut_10", "AP": "map"}


def clip_grades(folder: Path) -> dict[str, dict[str, int]]:
    """The pool graded by the rule paper-2024 from CLIPScores of a plain transformers loop."""
    docnos = sorted({docno for graded in GRADES.values() for docno in graded})
    pictures = [_small_picture(docno) for docno in docnos]
    cosines = plain_cosines(folder, [PROMPT + " ".join(texts) for texts in TOPICS.values()], pictures)
    scores = {
        (topic, docno): 2.5 * max(float(cosines[t, docnos.index(docno)]), 0.0)
        for t, topic in enumerate(TOPICS)
        for docno in GRADES[topic]
    }
    lower, upper = np.quantile(list(scores.values()), [0.5, 0.75])
    graded: dict[str, dict[str, int]] = {topic: {} for topic in TOPICS}
    for (topic, docno), score in scores.items():
        graded[topic][docno] = 0 if score < lower else 1 if score <= upper else 2
    return graded


def _small_picture(docno: str) -> Picture.Image:
    """The copy of the document's picture that models see."""
    image = Document.objects.select_related("image__small").get(docno=docno).image
    assert image
    with image.small.open() as file:
        return Picture.open(file).copy()


def means(grades: Grades, measure: str) -> dict[str, float]:
    """The mean of the measure by the run's tag, by trec_eval's own code."""
    name = TREC_EVAL_NAMES[measure]
    evaluator = pytrec_eval.RelevanceEvaluator(grades, {name})
    found = {}
    for tag in RESULTS:
        by_topic = evaluator.evaluate(pytrec_eval.parse_run(run_file(tag).decode().splitlines()))
        found[tag] = float(np.mean([by_topic[topic][name] for topic in TOPICS]))
    return found


def correlations(one: Mapping[str, float], other: Mapping[str, float]) -> list[float]:
    """Kendall's tau-b, Spearman's rho and Pearson's r over the runs."""
    x, y = ([means[tag] for tag in RESULTS] for means in (one, other))
    return [float(found.statistic) for found in (kendalltau(x, y), spearmanr(x, y), pearsonr(x, y))]


def kappa(one: Grades, other: Grades) -> float:
    """Cohen's kappa: (observed - expected agreement) / (1 - expected agreement)."""
    a, b = ([grades[t][d] for t, graded in GRADES.items() for d in graded] for grades in (one, other))
    observed = np.equal(a, b).mean()
    by_chance = sum(a.count(grade) * b.count(grade) for grade in (0, 1, 2)) / len(a) ** 2
    return float((observed - by_chance) / (1 - by_chance))


def relative_delta(means: Mapping[str, float]) -> float:
    """2 (A - B) / (A + B) in per cent, A the mean of the family's runs, B that of the others."""
    inside = np.mean([mean for tag, mean in means.items() if tag in IN_FAMILY])
    outside = np.mean([mean for tag, mean in means.items() if tag not in IN_FAMILY])
    return float(200 * (inside - outside) / (inside + outside))
