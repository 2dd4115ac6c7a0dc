"""The address of each page in the table of pages."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str

from evaluation.models import Run, Task
from tests.addresses.urlconf import routes
from tests.browser.page_table import Visit, visits
from tests.whole_site import WholeSite


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
