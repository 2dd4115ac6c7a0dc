"""The five uses of a made judge."""

from typing import Any

from trackside.findings.use_results import (
    BestUse,
    FamiliesUse,
    FamilyUse,
    LabelUse,
    RankUse,
    Relation,
    TuneUse,
    UseCode,
    Uses,
)

# Of CLIP-based runs the judge's excess is 21.2 points, of lexical ones as far below 0.
FAMILIES = {"CLIP-based": 21.2, "lexical": -21.2}


def made_uses(**changed: Any) -> Uses:
    """One use as people, two beyond the margin, two open."""
    families = tuple(
        FamilyUse(
            family=family, excess=points, level=0.975,
            low=min(points / 2, 1.5 * points), high=max(points / 2, 1.5 * points),
            low90=min(0.6 * points, 1.4 * points), high90=max(0.6 * points, 1.4 * points),
            people=0.0, judge=points,
        )
        for family, points in FAMILIES.items()
    )  # fmt: skip
    uses: dict[str, Any] = {
        "rank": RankUse(
            code=UseCode.OPEN, tau=0.81, low=0.6, high=0.92, relation=Relation.SHOWN,
            chance_low=-0.4, chance_high=0.4, popular_tau=0.3,
        ),
        "best": BestUse(
            code=UseCode.AS_PEOPLE, run="bm25", loss=0.01, low=0.0, high=0.04, margin=0.05, near_count=2
        ),
        "families": FamiliesUse(code=UseCode.DIFFERS, families=families),
        "tune": TuneUse(
            code=UseCode.OPEN, rate=0.48, low=0.39, high=0.57, promised=12.0, seen=6.0, topics_needed=190
        ),
        "label": LabelUse(
            code=UseCode.DIFFERS, kappa=0.31, low=0.25, high=0.37, judge_kappa=0.31, second_kappa=0.52,
            difference=-0.21, low_difference=-0.27, high_difference=-0.15, pair_count=38,
        ),
    }  # fmt: skip
    counts = {"run_count": 16, "topic_count": 12, "pair_count": 38}
    return Uses(**(uses | counts | changed))
