"""The guide for visitors of the demo: pages to look at, and accounts to sign in with."""

from collections.abc import Iterator

from django.urls import reverse

from evaluation.cli.files.tables import aligned
from evaluation.demo.steps.people import ASSESSOR, ORGANIZER, PASSWORD, VISITORS
from evaluation.demo.steps.track import SLUG

PLACES = {
    ("report_detail", "promotion"): ("", "a released report"),
    ("run_list", "promotion"): ("", "its runs"),
    ("task_detail", "suggestion"): (ORGANIZER, "a task while people judge"),
    ("report_detail", "suggestion"): (ORGANIZER, "its report, for organizers only so far"),
    ("judging_list", ""): (ASSESSOR, "topics to judge"),
    ("admin:index", ""): (ORGANIZER, "the admin"),
}


def guide_lines(address: str) -> Iterator[str]:
    """Lines for the terminal; ``address`` is the site's, without a trailing slash."""
    yield "Worth a look:"
    rows = [["page", "shows", "signed in as"]]
    for (name, task), (account, what) in PLACES.items():
        path = reverse(name, kwargs={"track": SLUG, "task": task} if task else None)
        rows.append([address + path, what, account or "anybody"])
    yield from aligned(rows)
    yield ""
    yield f'Accounts, all with the password "{PASSWORD}":'
    yield from aligned([[email, what] for email, what in VISITORS.items()])
