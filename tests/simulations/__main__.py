"""`python -m tests.simulations [PART ...] [--tracks N]`: run parts and store their tables.

Writes docs/simulations/PART.json and, from all of these, docs/simulations.md. With TRACKSIDE_CASES set, it
also draws from real judges' errors and real tracks.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from tests.simulations.agreement import agreement, agreement_differences, classes
from tests.simulations.deltas import areas, crossed, deltas
from tests.simulations.excess_teams import excess_teams
from tests.simulations.favours import favours, few_teams, people_err
from tests.simulations.favours_real import favours_real
from tests.simulations.means import differences, means
from tests.simulations.orders import decisions, orders
from tests.simulations.ranks import ceiling, ranks, ranks_differences, ranks_others, ranks_real
from tests.simulations.rows import markdown, store
from tests.simulations.sections import sections
from tests.simulations.subsets import subsets
from tests.simulations.teams import teams

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "simulations.md"
SEED = 20261122

PARTS = {
    "means": means,
    "differences": differences,
    "agreement": agreement,
    "classes": classes,
    "agreement-differences": agreement_differences,
    "deltas": deltas,
    "areas": areas,
    "ranks": ranks,
    "ranks-others": ranks_others,
    "ranks-real": ranks_real,
    "ranks-differences": ranks_differences,
    "subsets": subsets,
    "orders": orders,
    "decisions": decisions,
    "ceiling": ceiling,
    "crossed": crossed,
    "teams": teams,
    "favours": favours,
    "people-err": people_err,
    "few-teams": few_teams,
    "favours-real": favours_real,
    "excess-teams": excess_teams,
    "sections": sections,
}

INTRODUCTION = """# Simulations: which intervals a report prints, and why

`python -m tests.simulations` draws tracks at random, computes each interval and each p with the code of the
report, and counts how often an interval holds the truth and how often p is at most 0.05 without cause.
Required: coverage of 93 to 97 % (rank correlations 91 to 98 %) and a size of 4 to 6 %. The standard error of
a coverage of 95 % is 0.5 points with 2,000 tracks and 0.7 with 1,000.
A test checks every printed figure against these bounds, with a tolerance of two standard errors. It also
checks that every kind of interval and p of a report has a row here (`tests/simulations/inventory.py`).

Where "printed" is "no", a report prints a reason instead of the interval. `given` is the share of tracks that
have an interval; the coverage is computed over these. `truth` is the estimand, `width` the median width.
Columns after `width` are methods that were tried and rejected. Each part names its commit. "Said without
cause" is how often a report says "favours" of a judge that cannot see runs; at most 5 % is allowed.
In "ranks-others", the rows of tau_AP,a are of commit `83c9d39`.
"""

NOTES = {
    "means": """Runs' means over topics: `mean_intervals`, by Hall's transformation or, where many topics
have 0 or 1, in two parts (`two parts`: their share of the tracks). Estimand: the mean over very many topics
of this kind. Where 9 of 10 values are zero, ten topics rarely have the three other values that an interval
needs: the tracks that have them are unusual, and so is their coverage. Values of only 0 and 1 have no
interval below 25 topics.""",
    "differences": "Differences of two runs' means by Student's t: `difference_intervals`.",
    "agreement": """Coefficients of confusion matrices summed over topics: `jackknife_interval`. Estimand: the
coefficient on very many topics of this kind. The judges of DL 2020 are real ones, whose topics are drawn with
replacement; one topic there holds most documents of grade 3. That is why a report prints no interval for
shares of such grades below 50 or 150 topics (`FEWEST_TOPICS_FOR_SHARE` and `..._FOR_RECALL`).""",
    "agreement-differences": "Two equally good judges on the same topics: `jackknife_difference`.",
    "deltas": """Relative Delta of a third of the runs, and a judge's minus people's: `jackknife_interval`.
Estimand: the same runs on very many topics of this kind.""",
    "classes": """Shares of the items of each of people's grades that get the same grade, and binary alpha at
each cut: `jackknife_interval`. Shares of rare grades need 50 or 150 topics, as in "agreement".""",
    "areas": """Areas under curves of raw scores: `areas_over_topics`. A report prints no interval of recall
at a false positive rate: it rests on the few items above one score, and the jackknife of such a step covers
92 to 100 %.""",
    "ranks": """Coefficients of the runs' means under people and a judge: `rank_interval`. Estimand: the
coefficient expected on equally many other topics, with the same runs. `of infinitely many topics` is how
often the same interval holds the coefficient with very many topics: a report does not print it as that.""",
    "ranks-others": """The same for other coefficients, 16 runs. A report prints no interval of rho over
topics, and none of tau_GAP, weighted tau and RBO below 25 topics: they are too wide.""",
    "ranks-real": """The same for topics drawn with replacement from TREC DL 2021 and Robust 2003 (nDCG@10, at
most 37 runs), under judges drawn from real judges' errors without looking at runs.""",
    "ranks-differences": """Two judges whose expected tau with people is equal: `rank_difference`. A test of
no difference has a size of 100 % minus the coverage, 1 to 7 %; so a report prints no p. "alike" are
two judges with the same biases, "unlike" a biased judge and a noisy one.""",
    "subsets": """Tau where the report chooses runs or topics by the same values, and between two sets of one
judge: `rank_interval`. Estimand: for each team's best runs, the tau of these runs expected on equally many
other topics; for a third of the topics, the tau expected on the same third of another track. A report prints
none of these intervals of chosen runs or topics.""",
    "orders": """The p of tau where a judge's order has nothing to do with people's. The test of all runs
takes them as independent, so a report prints its p only if each team has one run; else only the deciding p,
which needs each team's best run to be related, too.""",
    "decisions": """How often any pair of equally good runs is called different, by the corrected p.""",
    "ceiling": """`noise_ceiling` minus the coefficient expected between two independent sets of as many
topics: mean (bias) and standard deviation (error) over tracks.""",
    "teams": """Rank correlations on the same topics and with other teams: `team_interval`. Estimand: the
coefficient expected of as many teams.""",
    "sections": """Intervals that single sections make, read from their tables. Tracks are parts of one large
track, so they have the same runs; its values are the truth. "Lenient" and "noisy" judges cannot see runs.""",
    "favours": """Conclusions on a family of runs: difference in Relative Delta, excess over run-
blind judges and excess grades, with `find_favours`. "Favours" needs the corrected p over topics and few
other families of teams as extreme. Half of the teams are in the family. "Lenient", "harsh" and "noisy"
judges cannot see runs; "favours 20 %" raises the grades of 20 % of the items that the family has in its
first ten and most others have not. The share of other families is discrete, and is a p of families of teams
drawn at random: if runs of a family retrieve alike, as in all other settings, it is too small for a p,
and the report does not call it p. `difference`, `excess` and `would show` (found in 8 of 10 cases or more)
are mean points of Relative Delta. "Favours" counts claims with the condition "unless people err", too.""",
    "people-err": """The conclusions of "favours" where people err, too. Runs and the judge see true grades;
"right" judges give these, and "good" people and judges err independently of each other. Better runs then find
items that people missed. "Favours 20 %" as in "favours", where people do not err. Whether a claim needs the
condition "unless people err" depends on whether the family is better by people's grades.""",
    "favours-real": """The same on TREC DL 2021 and Robust 2003: their runs and people's grades, on as many
topics drawn with replacement, under judges that have the errors of six language models on TREC DL 2020 and
cannot see runs. The first letters of a tag stand for its team. Half of the teams are the family: drawn at
random, those with the lowest means, or those that retrieve alike (first principal component of the runs'
first ten results). For "favoured" teams the judge raises by one the grades of 20 % of the items that
more of these teams' runs than of others have in their first ten. "Same sign" is how often excess and excess
grades have one sign where both are significant over topics. "Favours" counts claims with the condition
"unless people err", too.""",
    "few-teams": """A family of one team of nine, as runs that are related to a judge often are, and excess
grades of all pooled results. A report declares no hypothesis about these, and does not mention them.""",
    "crossed": """Other topics and other teams: `crossed_interval`. Teams have one to four runs. The excess
itself is in "excess-teams" and "favours-real". Sides of fewer than eight teams have no interval.""",
    "excess-teams": """The excess of a family on other topics and with other teams, by `favour`. Judges that
cannot see runs have the same excess for all teams, 0 on many topics. "Favours 40%" is the judge of the part
"favours"; its truth is the mean over the tracks.""",
}


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulations", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all unless named")
    parser.add_argument("--tracks", type=int, default=1_000, help="tracks a setting (1,000)")
    parser.add_argument("--render", action="store_true", help="only write the Markdown from the JSON")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    folder = DOCS / "simulations"
    folder.mkdir(parents=True, exist_ok=True)
    for name in [] if asked.render else asked.parts or PARTS:
        rows = list(PARTS[name](asked.tracks, SEED))
        facts = {"commit": _commit(), "date": datetime.now(UTC).date().isoformat(), "seed": SEED}
        store(folder / f"{name}.json", facts, rows)
        print(f"{name}: {len(rows)} rows", flush=True)
    PAGE.write_text(page())


def page() -> str:
    """The text of docs/simulations.md from the stored rows."""
    stored = {name: DOCS / "simulations" / f"{name}.json" for name in PARTS}
    parts = {name: json.loads(path.read_text()) for name, path in stored.items() if path.exists()}
    return "\n".join([INTRODUCTION, *markdown(parts, NOTES)])


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=DOCS.parent, check=True
    )
    return found.stdout.strip()


if __name__ == "__main__":
    main()
