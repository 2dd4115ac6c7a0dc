"""The findings of a stored report, as small as they can be with a figure and a number in every place."""

from typing import Any

from evaluation.core.report.tables import (
    Column,
    Conclusion,
    ConclusionCode,
    Figure,
    Findings,
    Number,
    Section,
    Table,
)
from evaluation.core.report.sections.summary.in_short import JUDGES
from evaluation.core.report.writers.stored import to_json
from evaluation.core.statistics.estimate import Interval, Reason

TAU = Number(0.81, None, Interval(0.6, 0.92, 0.95))
NO_SIGN = Conclusion(ConclusionCode.NO_SIGN, "no sign (9 points would show in 8 of 10 cases or more)")
# Of CLIP-based runs the judge's Relative Delta is 21.2 points above people's, of lexical ones as far below.
FAMILIES = {"CLIP-based": 21.2, "lexical": -21.2}
MEANS = {"bm25": (0.75, 1, None, None), "clip-a": (0.5, 2, 0.6, 1), "clip-b": (0.25, 3, 0.5, 2)}


def stored_findings(**facts: Any) -> dict[str, Any]:
    """Facts and sections of a report of people and one model on three runs, as fields of the model Report."""
    stored = to_json(report_findings())
    return {"facts": stored["facts"] | facts, "sections": stored["sections"]}


def report_findings() -> Findings:
    """Two measures and two families; by AP all runs are equal, so that tau is undefined."""
    return Findings(_FACTS, (_in_short(), _order(), _bias(), _METHODS))


_FACTS = {
    "basis": f"Qrels by SHA-256: people {'ab' * 6}.",
    "code_version": "1.2.3",
    "measures": ["nDCG@10", "AP"],
    "people": "people",
    "judges": ["clipscore"],
    "kinds": {"people": "human", "clipscore": "model"},
    "families": list(FAMILIES),
    "runs": [
        {"tag": tag, "team": "Kestrel", "families": ["CLIP-based" if "clip" in tag else "lexical"]}
        for tag in ("bm25", "clip-a", "clip-b")
    ],
    "best_of_teams": {"nDCG@10": ["bm25"], "AP": ["bm25"]},
    "strata": {},
    "scale": [0, 1, 2],
    "level": 1,
    "seed": 1,
    "topic_count": 12,
    "graded_count": 38,
}
_METHODS = Section("methods", "How it was made", ("Three runs were evaluated.",))


def _in_short() -> Section:
    judges, sentences, leads = [], [], []
    for measure in ("nDCG@10", "AP"):
        tau = TAU if measure == "nDCG@10" else Number(None, Reason.CONSTANT)
        for family, points in FAMILIES.items():
            judges.append(_judge(measure, family, tau, Number(points, None, Interval(-30.5, 40.5, 0.95))))
            words = f"Orders the 3 runs much as people do; shows no sign of favouring {family} runs."
            sentences.append((measure, family, "clipscore", words, "0.81", "tau, 0.60 to 0.92"))
            leads.append((measure, family, f"Nearest to people is clipscore; no sign about {family} runs."))
    text = tuple(Column(name) for name in ("measure", "family", "judge", "finding", "number", "what it is"))
    return Section(
        "in-short",
        "In short",
        tables=(
            Table("lead", "In one sentence.", (*text[:2], text[3]), tuple(leads)),
            Table("in-short", "One finding for each judge.", text, tuple(sentences)),
            Table("judges", "Judges.", JUDGES, tuple(judges)),
        ),
    )


def _judge(measure: str, family: str, tau: Number, points: Number) -> tuple[Any, ...]:
    known = {
        "measure": measure,
        "family": family,
        "judge": "clipscore",
        "kind": "model",
        "runs": 3,
        "topics": 12,
        "items": 38,
        "tau": tau,
        "noise ceiling": Number(0.9),
        "kappa": Number(0.31, None, Interval.undefined(Reason.TOO_FEW_TOPICS, 0.95)),
        "ceiling of kappa": Number(0.64),
        "difference in Relative Delta": points,
        "excess, points": points,
        "p, corrected": Number(0.333),
        "favour": NO_SIGN,
    }
    return tuple(known.get(column.name) for column in JUDGES)


def _order() -> Section:
    order = Table(
        "order",
        "Order.",
        (Column("measure"), Column("judge"), Column("tau", ".2f", has_interval=True)),
        (("nDCG@10", "clipscore", TAU), ("AP", "clipscore", Number(None, Reason.CONSTANT))),
    )
    columns = (
        *(Column(name) for name in ("measure", "run", "team")),
        *(Column(*each) for each in (("people", ".4f"), ("rank, people", "d"))),
        *(Column(*each) for each in (("clipscore", ".4f"), ("rank, clipscore", "d"))),
    )
    rows = tuple(
        (measure, tag, "Kestrel", *own) for measure in ("nDCG@10", "AP") for tag, own in MEANS.items()
    )
    means = Table("means", "Means.", columns, rows)
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 9 9" role="img" '
        'aria-labelledby="ranks-title"><title id="ranks-title">Ranks</title></svg>'
    )
    figure = Figure("ranks-ndcg-10", "Ranks", "By mean nDCG@10.", svg, "order", "nDCG@10", is_wide=True)
    return Section("order", "Order of the runs", ("Three runs are few.",), (order, means), (figure,))


def _bias() -> Section:
    columns = (Column("judge"), Column("family"), Column("points", "+.1f"))
    table = Table("bias", "Families.", columns, (("clipscore", "lexical", -21.2),), ("What bias is.",))
    return Section("bias", "Families of runs", (), (table,))
