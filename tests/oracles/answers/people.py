"""Answers about assessors, and about values by stratum."""

from typing import Any

from assessment.core.consolidation import (
    full_agreement,
    gold_accuracy,
    is_unanimous,
    majority,
    mean_confidence,
)
from assessment.core.pace import pace
from trackside.measuring.evaluation import harmonic_mean
from trackside.statistics.proportions import clopper_pearson, wilson


def human_annotation(case: dict[str, Any]) -> dict[str, Any]:
    if "gold" in case:
        return _gold(case)
    if "labels" in case:
        answers = case["labels"]
        decided = [majority(given) for given in answers]
        return {
            "majority": decided,
            "needs_adjudication": [answer is None for answer in decided],
            "unanimous": [is_unanimous(given) for given in answers],
            "full_agreement_rate": full_agreement(answers),
        }
    if "seconds_in_order" in case:
        seconds = case["seconds_in_order"]
        speed = pace(seconds)
        return {
            "median": speed.median,
            "mann_kendall_tau": speed.tau,
            "mann_kendall_p_exact": speed.p,
            "median_first_half": speed.first_half,
            "median_second_half": speed.second_half,
        }
    return {
        "wilson95": wilson(case["correct"], case["n"]),
        "clopper_pearson95": clopper_pearson(case["correct"], case["n"]),
    }


def _gold(case: dict[str, Any]) -> dict[str, Any]:
    gold, answers = case["gold"], case["answers"]
    accuracy = gold_accuracy(gold, answers)
    answer: dict[str, Any] = {
        "average_accuracy": accuracy.average,
        "optimistic_accuracy": accuracy.optimistic,
        "majority_accuracy": accuracy.by_majority,
        "pessimistic_accuracy": accuracy.pessimistic,
        "all_wrong_items": [place for place, given in enumerate(answers) if gold[place] not in given],
    }
    if "confidence_1_very_3_not" in case:
        confidence = mean_confidence(gold, answers, case["confidence_1_very_3_not"])
        answer["mean_confidence"] = confidence.overall
        answer["mean_confidence_correct"] = confidence.when_right
        answer["mean_confidence_incorrect"] = confidence.when_wrong
    return answer


def harmonic(case: dict[str, Any]) -> dict[str, Any]:
    return {"hm": harmonic_mean(case["values"])}


ANSWERS = {"human_annotation": human_annotation, "harmonic_mean": harmonic}
