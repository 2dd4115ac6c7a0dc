"""Tables and lists in documents that the code determines."""

import re
from pathlib import Path

from django.conf import settings

from evaluation.config import settings as site_settings
from evaluation.config.celery import app
from evaluation.config.default_rates import DEFAULT_RATES
from evaluation.config.environment import read_env_file
from evaluation.models import ImportKind
from evaluation.platform.access.tokens import Scope
from evaluation.running.hosting import site_parts
from tests.documents.markdown import document
from trackside.judging.endpoints.keys import key_variable
from trackside.judging.settings import CLIP_PRESETS

SCRIPTS = Path(settings.ROOT) / "assessment" / "static" / "assessment"
UNLISTED = {
    "trackside": set(),
    # access, core, hosting: names for landed migrations and units of deployments
    "evaluation": {"access", "core", "hosting", "migrations", "templatetags"},
    "assessment": {"core", "migrations", "models", "templatetags"},
    "judges": {"migrations"},
}
WINGS = {"organizing", "platform", "results", "running", "submissions"}  # tracks has modules of its own, too
PERIODS = {3600: "an hour", 86_400: "a day", 300: "in five minutes", 60: "a minute"}


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
        root = settings.ROOT / package
        packages = {path.parent.name for path in root.glob("*/__init__.py")} - WINGS
        packages |= {
            f"{wing}/{path.parent.name}"
            for wing in (*WINGS, "tracks")
            for path in (root / wing).glob("*/__init__.py")
        }
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
