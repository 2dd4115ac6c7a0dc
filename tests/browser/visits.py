"""The table of pages to open, and the address of each page."""

import re
from dataclasses import dataclass
from pathlib import Path

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str

from evaluation.models import Phase, Run, Task
from tests.addresses.urlconf import routes
from tests.whole_site import ROLES, WholeSite

FILE = Path(__file__).with_name("pages.txt")
OUTSIDE = "-"
MODEL_PAGE = re.compile(r"admin:[a-z]+_[a-z]+_(?P<page>changelist|add|history|delete|change)")


@dataclass(frozen=True)
class Visit:
    """One line: a page, its reader, the phase (none outside tasks) and the row it is opened for, if any."""

    name: str
    role: str
    phase: Phase | None
    thing: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.role, self.phase, self.thing)))


def _tables() -> tuple[list[list[str]], list[list[str]]]:
    """The words of each line of the two tables, without their heads."""
    lines = [line.split() for line in FILE.read_text().splitlines() if line and not line.startswith("#")]
    second = lines.index(["model", "page", "models"])
    assert lines[0] == ["name", "role", "phase", "thing"]
    return lines[1:second], lines[second + 1 :]


def visits() -> list[Visit]:
    """The pages except the admin's pages of models, grouped by phase and reader."""
    found = [
        Visit(name, role, None if phase == OUTSIDE else Phase(phase), *thing)
        for name, role, phase, *thing in _tables()[0]
    ]
    return sorted(found, key=lambda visit: (visit.phase or "", ROLES.index(visit.role)))


def model_pages() -> dict[str, list[str]]:
    """The labels of the models that each of the admin's pages is opened for; an empty list means all."""
    return {page: labels for page, *labels in _tables()[1]}


def things(site: WholeSite) -> dict[str, dict[str, object]]:
    """What the table opens pages for, as values of their addresses' parameters."""
    reader = site.signed_in("visitor")
    empty = Task.objects.filter(track=site.task.track).exclude(pk=site.task.pk).get()
    found: dict[str, dict[str, object]] = {
        "": {},
        "used-link": {},
        "fresh-link": {
            "uidb36": user_pk_to_url_str(reader),
            "key": default_token_generator.make_token(reader),
        },
        "empty-task": {"task": empty.slug},
    }
    return found | {f"{run.state}-run": {"run": run.pk} for run in Run.objects.order_by("-pk")}


def addresses(site: WholeSite) -> dict[Visit, str]:
    """The address of each page in the table."""
    templates = {route.name: route for route in routes()}
    found = things(site)
    return {
        visit: visit.name
        if visit.name.startswith("/")
        else templates[visit.name].filled(site.first_values | found[visit.thing])
        for visit in visits()
    }
