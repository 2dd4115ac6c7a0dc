"""Numbers and lists in documents that the code determines: sentences are rebuilt from the code's values."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

from assessment.core.consolidation import ConsolidationRule
from assessment.models import JudgingPlan
from evaluation.access.tokens import Scope
from evaluation.config import settings as site_settings
from evaluation.config.celery import app
from evaluation.config.default_rates import DEFAULT_RATES
from evaluation.config.environment import read_env_file
from evaluation.hosting import site_parts
from evaluation.mail.actions import MOST_TRIES, wait_after
from evaluation.mail.dates import SOON
from evaluation.models import ImportKind
from evaluation.reports.actions import MOST_CHOSEN, MOST_WAITING
from evaluation.runs.models import CHECK_ATTEMPTS
from evaluation.work.models import LOST_AFTER, MOST_ATTEMPTS
from evaluation.work.queueing import EVERY
from judges.jobs.files import TRIAL
from tests.documents.markdown import document
from tests.trackside.measuring.measured_runs import PEER_MEASURES
from trackside.findings.verdicts import Margins
from trackside.judging.endpoints.keys import key_variable
from trackside.judging.presets import CLIP_PRESETS
from trackside.reporting.chance import DRAWS
from trackside.uncertainty.ends import FEWEST_TOPICS, FEWEST_TOPICS_FOR_RECALL, FEWEST_TOPICS_FOR_SHARE
from trackside.uncertainty.ranks import FEWEST_TEAMS

WORDS = {3: "three", 5: "five", 8: "eight", 10: "ten", 12: "twelve", 30: "thirty"}
SCRIPTS = Path(settings.ROOT) / "assessment" / "static" / "assessment"
UNLISTED = {
    "trackside": set(),
    "evaluation": {"core", "migrations", "templatetags"},  # core: names for landed migrations
    "assessment": {"core", "migrations", "models", "templatetags"},
    "judges": {"migrations"},
}
PERIODS = {3600: "an hour", 86_400: "a day", 300: "in five minutes", 60: "a minute"}


def lease_minutes() -> int:
    """The default minutes of a lease."""
    return int(JudgingPlan().lease / timedelta(minutes=1))


def trying_hours() -> float:
    """From the first to the last attempt to send a mail."""
    return sum((wait_after(tries) for tries in range(1, MOST_TRIES)), timedelta()) / timedelta(hours=1)


def nginx(name: str) -> str:
    """The value of a directive of the proxy, in seconds."""
    (found,) = re.findall(
        rf"^\s*{name} (\d+)s;", (settings.ROOT / "docker/nginx.conf").read_text(), re.MULTILINE
    )
    return str(found)


SENTENCES = [
    ("docs/participants.md", f"If a check fails {WORDS[CHECK_ATTEMPTS]} times without a verdict"),
    ("docs/architecture.md", f"after {WORDS[CHECK_ATTEMPTS]} attempts without a verdict the run is parked"),
    ("docs/organizers.md", f"what failed {WORDS[MOST_ATTEMPTS]} times"),
    (
        "docs/glossary.md",
        f"it is renewed every {EVERY:.0f} s and lost after {LOST_AFTER.total_seconds():.0f} s",
    ),
    ("docs/participants.md", f"in the last {SOON / timedelta(hours=1):.0f} hours before a task closes"),
    (
        "docs/deploy.md",
        f"is tried {WORDS[MOST_TRIES]} times, over about {trying_hours() // 10 * 10:.0f} hours",
    ),
    ("docs/assessors.md", f"yours for {lease_minutes()} minutes unless"),
    ("docs/judges.md", f"A Batch API then gets {TRIAL} requests first"),
    ("docs/methods.md", f"None is printed below {WORDS[FEWEST_TOPICS]} topics"),
    ("docs/methods.md", f"have an interval only from {FEWEST_TOPICS_FOR_SHARE} topics on"),
    ("docs/methods.md", f"recall of high grades from {FEWEST_TOPICS_FOR_RECALL} on"),
    ("docs/methods.md", f"lower end at least {Margins().order:g}: almost"),
    ("docs/methods.md", f"the lower end is above −{Margins().kappa:g}"),
    ("docs/methods.md", f"the margin of {Margins().points:g} points words it"),
    ("docs/methods.md", f"jackknife over teams, from {WORDS[FEWEST_TEAMS]} teams on"),
    ("docs/methods.md", f"the mean of {DRAWS} seeded draws"),
    ("docs/methods.md", f"{len(PEER_MEASURES)} measures are equal to the last bit"),
    ("docs/performance.md", f"So are {len(PEER_MEASURES)} measures to the last bit"),
    (
        "docs/deploy.md",
        f"({nginx('client_header_timeout')} s for a request head, {nginx('client_body_timeout')} s",
    ),
    ("docs/decisions/0012-choice-of-runs-and-topics.md", f"{WORDS[MOST_WAITING]} for each task"),
    ("docs/decisions/0012-choice-of-runs-and-topics.md", f"The latest {WORDS[MOST_CHOSEN]} choices"),
]


@pytest.mark.parametrize(("name", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_sentence_is_true(name: str, sentence: str) -> None:
    assert sentence in " ".join(document(name).text.split())


def test_limits_are_those_of_the_settings() -> None:
    """The table of docs/deploy.md has the numbers of .env.example, and every rate once."""
    values = read_env_file(settings.ROOT / ".env.example")
    rates = []
    for _, limit, setting in document("docs/deploy.md").rows("what"):
        name = setting.split(",")[0].strip("`")
        number = int(limit.split()[0].strip(",").replace(",", ""))
        if name == "RATES":
            rates.append(limit)
        else:
            assert str(number) == values[name]
    documented = sorted(
        f"{rate.count:,} {PERIODS[int(rate.seconds)]}" for rate in site_settings.RATES.values()
    )
    assert sorted(rates) == documented


def test_example_of_the_settings_has_the_rates_of_the_site() -> None:
    text = " ".join((settings.ROOT / ".env.example").read_text().replace("\n# ", " ").split())
    (rates,) = re.findall(r"The site's own rates: ([^.]+)\.", text)
    assert dict(each.split("=") for each in rates.split(", ")) == DEFAULT_RATES


def test_packages_are_those_of_the_apps() -> None:
    """The tables of docs/architecture.md name all packages except those that Django prescribes."""
    shown = document("docs/architecture.md")
    rows = shown.rows("`assessment/` | owns | | `judges/`")
    documented = {
        "trackside": [cells[0] for cells in shown.rows("`trackside/`")],
        "evaluation": [cells[0] for cells in shown.rows("`evaluation/`")],
        "assessment": [cells[0] for cells in rows],
        "judges": [cells[3] for cells in rows],
    }
    for package, names in documented.items():
        packages = {path.parent.name for path in (settings.ROOT / package).glob("*/__init__.py")}
        named = {name.strip("`") for name in names if name}
        assert named | UNLISTED[package] == packages
        assert not named & UNLISTED[package]


def test_queues_are_those_of_the_site() -> None:
    rows = document("docs/architecture.md").rows("queue")
    named = [(queue.strip("`"), worker) for queue, _, worker in rows]
    workers = {"default": site_parts.WORKER, "long": site_parts.LONG}
    workers |= {"judges": site_parts.JUDGES, "trials": site_parts.TRIALS}
    taken = {
        (queue, name)
        for name, words in workers.items()
        for word in words
        if word.startswith("--queues=")
        for queue in word.removeprefix("--queues=").split(",")
    }
    assert set(named) == taken
    routed = {route["queue"] for route in app.conf.task_routes.values()} | {app.conf.task_default_queue}
    assert {queue for queue, _ in named} == routed


def test_beat_wakes_long_work_every_ten_seconds() -> None:
    assert "beat sends one again every ten seconds" in " ".join(document("docs/architecture.md").text.split())
    kinds = ("imports", "scores", "reports", "operations")
    names = (*(f"evaluation.run_{kind}" for kind in kinds), "judges.sweep_jobs")
    assert {app.conf.beat_schedule[name]["schedule"] for name in names} == {10.0}


def test_presets_are_all_listed() -> None:
    documented = set()
    for names, *_ in document("docs/judges.md").rows("preset"):
        first, *endings = re.findall(r"`([^`]+)`", names)
        documented |= {first, *(first.removesuffix("-chunk-mean") + ending for ending in endings)}
    assert documented == set(CLIP_PRESETS)


def test_names_of_keys_follow_from_their_addresses() -> None:
    for _, addresses, key in document("docs/judges.md").rows("endpoint"):
        named = re.findall(r"`([A-Z][A-Z0-9_]+)`", key)[0]
        address = re.findall(r"`(https?://[^`]+)`", addresses)[0]
        assert named == key_variable(address)


def test_scopes_are_those_of_tokens() -> None:
    assert [
        cells[0].strip("`") for cells in document("docs/api.md").rows("scope of the token")
    ] == Scope.values


def test_kinds_of_import_are_all_listed() -> None:
    rows = document("docs/organizers.md").rows("import")
    documented = {"documents": "collection", "baselines": "runs"}
    assert {documented.get(kind, kind) for kind, _ in rows} == set(ImportKind.values)


def test_rules_for_several_grades_are_published() -> None:
    text = " ".join(document("docs/organizers.md").text.split())
    assert "the owner's, the majority's, the nearest to the mean, or the highest" in text
    assert list(ConsolidationRule) == [
        ConsolidationRule.OWNER,
        ConsolidationRule.MAJORITY,
        ConsolidationRule.MEAN,
        ConsolidationRule.MAX,
    ]


def test_keys_are_those_of_the_judging_screen() -> None:
    """Letters of steps are in steps.js, those of grades in keyboard.js."""
    script = "".join((SCRIPTS / name).read_text() for name in ("steps.js", "keyboard.js"))
    known = set(re.findall(r"\bKey([A-Z])\b", script))
    documented = [
        key for keys, _ in document("docs/assessors.md").rows("key") for key in re.findall(r"`([A-Z])`", keys)
    ]
    assert len(documented) > 8
    assert set(documented) <= known
    assert 'LETTERS = ["KeyA", "KeyS", "KeyD"]' in script
