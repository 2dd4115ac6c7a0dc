"""Published cautions on models as judges: which of them each judge does not meet.

Sources: Faggioli et al., ICTIR 2023; Soboroff, Don't use LLMs to make relevance judgments, 2024; Clarke and
Dietz, LLM-based relevance assessment still can't replace human relevance assessment, 2024; Rahmani et al.,
LLMJudge, 2024; Alaofi et al., SIGIR-AP 2024; Buckley and Voorhees, SIGIR 2000.
"""

import re
from collections.abc import Iterator

import numpy as np

from trackside.findings.results import JudgeFindings
from trackside.reporting.findings import Findings
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import MINUS, Column, Table, table_of
from trackside.statistics.ranks import TIE
from trackside.text.counted import counted

FEWEST_TOPICS = 25  # Buckley and Voorhees 2000: with fewer topics the order of two runs swaps too often
FEWEST_TEAMS = 5
FEWEST_RELEVANT = 3  # with fewer relevant pairs on a topic one pair decides its value
MOST_GAPS = 0.01  # share of a judge's pairs without a grade

COLUMNS = (
    Column("judge"),
    Column("runs of the judge's own model or team"),
    Column("fitted to these topics"),
    Column("prompt injection"),
    Column("pairs without a grade"),
    Column("leniency"),
)


def guardrails_table(study: Study, findings: Findings) -> Table:
    """A row for each judge that does not meet all checks, with the result of each check."""
    rows = []
    for set_index, judge in zip(study.judges, findings.judges, strict=True):
        checks = (check(study, set_index) for check in (_circularity, _tuned, _injection, _gaps))
        unmet = (*checks, _leniency(judge))
        if any(unmet):
            rows.append((judge.name, *(words or "met" for words in unmet)))
    caption = "Published cautions on models as judges that are not met."
    return table_of("guardrails", caption, COLUMNS, rows)


def collection_cautions(study: Study, findings: Findings) -> Iterator[str]:
    """A sentence for each caution on the whole collection that is not met."""
    topics = study.shared_topics(PEOPLE).size
    if topics < FEWEST_TOPICS:
        yield f"Caution: {counted(topics, 'topic')}; at least {FEWEST_TOPICS} are advised."
    if all(run.team for run in study.runs) and len(set(study.teams)) < FEWEST_TEAMS:
        yield f"Caution: {counted(len(set(study.teams)), 'team')}; at least {FEWEST_TEAMS} are advised."
    is_relevant = study.grades[PEOPLE] >= study.design.level
    relevant = np.bincount(study.topic_of_pair[is_relevant], minlength=len(study.topics))
    thin = int((relevant[study.is_judged[PEOPLE]] < FEWEST_RELEVANT).sum())
    if thin:
        yield f"Caution: {counted(thin, 'topic')} with fewer than {FEWEST_RELEVANT} relevant pairs."
    if not findings.yardsticks:
        yield "Caution: no second assessor graded, so the agreement of people is not known."


def _circularity(study: Study, judge: int) -> str:
    """Runs that share the judge's model or team."""
    provenance = study.sets[judge].judge_provenance
    names, team = set(map(backbone_key, provenance.backbones)) - {""}, provenance.team.casefold()
    of_model = {run for run in study.runs if names & set(map(backbone_key, (run.backbone, *run.families)))}
    of_team = {run for run in study.runs if team and run.team.casefold() == team}
    if related := of_model | of_team:
        shared = " or ".join(["model"] * bool(of_model) + ["team"] * bool(of_team))
        return f"{len(related):,} of {counted(len(study.runs), 'run')} with the same {shared}"
    if not provenance.backbone:
        return "unknown: the judge's model"
    unknown = sum(not run.backbone for run in study.runs)
    return f"unknown: the model of {counted(unknown, 'run')}" if unknown else ""


def _tuned(study: Study, judge: int) -> str:
    mapping = study.sets[judge].judge_provenance.mapping
    if mapping is None:
        return "unknown: how raw scores became grades"
    if not mapping.people:
        return ""
    if not mapping.fitting_topics:
        return f"fitted to {mapping.people}"
    graded = {study.topics[topic] for topic in study.shared_topics(PEOPLE, judge)}
    count = len(graded.intersection(mapping.fitting_topics))
    return f"fitted to people's grades of {counted(count, 'topic')} compared here" if count else ""


def _injection(study: Study, judge: int) -> str:
    tests = study.sets[judge].judge_provenance.susceptibility
    shifts = [test.shift for test in tests if test.shift is not None]
    if not shifts:
        return "unknown: no pair with an injected instruction"
    raised = [test.raised_count for test in tests if test.raised_count is not None]
    if raised:
        scenes = sum(test.scene_count for test in tests)
        return f"a higher grade in {sum(raised):,} of {counted(scenes, 'pair')}" if any(raised) else ""
    return f"raw score {max(shifts):+.4f}".replace("-", MINUS) if max(shifts) > 0 else ""


def _gaps(study: Study, judge: int) -> str:
    """Pairs of the judge's pool without a grade, or of people's where these are the larger share."""
    facts, of_people = study.sets[judge].facts, study.grades[PEOPLE] >= 0
    missing = int((of_people & (study.grades[judge] < 0)).sum())
    gaps = facts.pair_count - facts.graded_count
    shares = gaps / max(facts.pair_count, 1), missing / max(int(of_people.sum()), 1)
    if max(shares) <= MOST_GAPS:
        return ""
    if shares[1] > shares[0]:
        return f"{missing:,} of {counted(int(of_people.sum()), 'pair')} that people graded"
    return f"{gaps:,} of {counted(facts.pair_count, 'pair')}"


def _leniency(judge: JudgeFindings) -> str:
    grades = judge.grades
    if grades.leniency is None:
        return "unknown: no pair graded by both"
    words = f"{grades.leniency:+.2f} grades".replace("-", MINUS)
    if grades.leniency_low is None or grades.leniency_high is None:
        return f"{words}, without an interval" if abs(grades.leniency) > TIE else ""
    return "" if grades.leniency_low <= 0 <= grades.leniency_high else words


_OWNER = re.compile(r"\A\s*[\w.-]+/(?=[^\W\d])")  # does not match the slash of ViT-L/14
_WORD = re.compile(r"[^\W\d_]+|\d+")
# Abbreviations of the sizes of vision transformers.
_SHORT = {"base": "b", "large": "l", "huge": "h", "giant": "g", "patch": ""}


def backbone_key(name: str) -> str:
    """Return the words and numbers of a model's name without its owner; equal for two names of one model.

    "openai/clip-vit-large-patch14" equals "CLIP ViT-L/14": case, punctuation and the long forms of sizes are
    ignored. Empty for a name without words or numbers.
    """
    words = _WORD.findall(_OWNER.sub("", name.casefold()))
    return " ".join(filter(None, (_SHORT.get(word, word) for word in words)))
