"""Freeze the rule that turns a judge's raw scores into grades."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max

from evaluation.core.errors import InputError
from evaluation.models import Qrels, User
from judges.actions.read_scores import read_scores
from judges.core.alternatives import cuts_of
from judges.core.cuts import Cuts
from judges.core.rules import BY_PEOPLE, FIXED, GRADES, PAPER, Frozen, PerTopic, choose_fitting_topics, fit
from judges.models import Job, Judge, Mapping


class JobNotCompleted(InputError):
    """Scores are still coming in, or the job was cancelled."""


class PeopleNeeded(InputError):
    """A rule by people's grades without any."""


@transaction.atomic
def fit_mapping(
    *,
    job: Job,
    by: User,
    rule: str = PAPER,
    cuts: tuple[float, float] | None = None,
    people: Qrels | None = None,
    share: float = 0.5,
    seed: int = 0,
) -> Mapping:
    """Fit a rule on the raw scores of a completed job, as the next version for its judge, pool and rule.

    With ``cuts`` nothing is fitted: a score of at least the first gets grade 1, of at least the second 2. For
    a judge that answers with the grade itself these are 0.5 and 1.5. A rule by people is fitted on a share of
    the topics that these human qrels grade, drawn by the seed. Raises JobNotCompleted, PeopleNeeded,
    CutsDoNotRise, TooFewTopics, or what ``core.rules.fit`` does.
    """
    Judge.objects.select_for_update().get(pk=job.judge_id)  # versions are counted one after the other
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: a rule is fitted on all scores of a completed job. Wait for its end.")
    if rule in BY_PEOPLE and people is None:
        raise PeopleNeeded(f"The rule {rule} is fitted on people's grades: choose human qrels of the task.")
    people = people if rule in BY_PEOPLE and not cuts else None
    scored = read_scores(job=job, people=people)
    topics = {each.topic for each in scored if each.people is not None}
    fitting = choose_fitting_topics(topics, share=share, seed=seed) if people else ()
    fitted = fit(PAPER if cuts else rule, scored, fitting)  # cuts by hand, too, want scores to stand on
    frozen = Cuts(GRADES, cuts) if cuts else fitted
    name = FIXED if cuts else rule
    versions = Mapping.objects.filter(judge=job.judge_id, pool=job.pool_id, rule=name)
    return Mapping.objects.create(
        judge=job.judge,
        pool=job.pool,
        rule=name,
        version=(versions.aggregate(latest=Max("version"))["latest"] or 0) + 1,
        people=people,
        fitting_topics=list(fitting),
        created_by=by,
        **_columns(frozen, len(scored)),
    )


def _columns(frozen: Frozen, score_count: int) -> dict[str, Any]:
    """What the rule was fitted to, as the row keeps it."""
    by_topic = frozen.by_topic if isinstance(frozen, PerTopic) else {}
    return {
        "thresholds": list(cuts_of(frozen)),
        "score_count": (frozen.n if isinstance(frozen, Cuts) else None) or score_count,
        "by_topic": {topic: [*each.thresholds, each.n] for topic, each in by_topic.items()},
    }
