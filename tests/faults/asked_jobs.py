"""What a job that asks a paid endpoint must have stored."""

from decimal import Decimal

from judges.models import Budget, Job
from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Act, Endpoint, Request, score_of

PRICES = {"input_price": Decimal("2.5"), "output_price": Decimal(10)}

COST = round(2.5 * PROMPT_TOKENS + 10 * COMPLETION_TOKENS)


def scored_count(job: Job) -> int:
    return Job.objects.with_progress().get(pk=job.pk).scored_count


def check_scores(job: Job, endpoint: Endpoint) -> None:
    """Every pair has the score that the endpoint gave for the pair's words and image."""
    keys = {str(entry): entry.request_key for entry in job.ledger.all()}
    given = {keys[request.id]: score_of(request.shown) for request in endpoint.asked}
    scores = dict(job.calls.values_list("request_key", "raw_score"))
    assert len(scores) == job.calls.count()
    assert scores == given


def check_ledger(job: Job, endpoint: Endpoint) -> None:
    """The ledger names every request that the endpoint received and counts at least what it bills."""
    ledger = {str(entry): entry for entry in job.ledger.all()}
    logged = {request.id for request in endpoint.asked}
    assert logged <= set(ledger)
    assert {ledger[name].outcome for name in set(ledger) - logged} <= {"lost", "lost_alone", "not_asked"}
    for name in endpoint.answered:
        entry = ledger[name]
        if entry.outcome.startswith("lost"):
            assert entry.cost_micros == entry.bound_micros > COST
        else:
            assert (entry.outcome, entry.cost_micros) == ("ok", COST)
    paid = [entry for entry in ledger.values() if entry.outcome == "ok"]
    assert {str(entry) for entry in paid} <= set(endpoint.answered)
    assert len(paid) == job.calls.scored().count()
    budget = Budget.objects.get(job=job)
    assert (budget.spent_micros, budget.reserved_micros) == (job.ledger.all().total(), 0)


def slowly(request: Request) -> Act:
    """Answer after half a second; there is no shutdown date."""
    return Act(status=404) if request.method == "GET" else Act(delay=0.5)
