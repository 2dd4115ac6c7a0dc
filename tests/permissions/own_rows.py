"""A row of each model of the admin, in the track of an organizer."""

import pytest
from django.contrib import admin
from django.db.models import Model

from evaluation.models import Image, Mail, Run, Token
from judges.models import Budget, Judge, Price, Prompt, Rate
from tests.whole_site import WholeSite


@pytest.fixture
def own_rows(site: WholeSite) -> dict[str, Model]:
    """A row of each model in the admin, by label; a row of the track if the model has tracks."""
    found: dict[str, Model | None] = {
        "evaluation.user": site.visitors["assessor"],
        "evaluation.mail": Mail.objects.get(),
        "evaluation.token": Token.objects.first(),
        "evaluation.blob": Run.objects.get(pk=str(site.first_values["run"])).upload,
        "evaluation.image": Image.objects.get(pk=str(site.first_values["sha256"])),
        "evaluation.track": site.task.track,
        "judges.judge": Judge.objects.order_by("pk").first(),
        "judges.prompt": Prompt.objects.order_by("pk").last(),
        "judges.price": Price.objects.get(),
        "judges.rate": Rate.objects.get(),
        "judges.budget": Budget.objects.get(),
    }
    for model, model_admin in admin.site._registry.items():
        if path := getattr(model_admin, "track_path", ""):
            of_track = model._default_manager.filter(**{f"{path}__in": [site.task.track_id]})
            found[model._meta.label_lower] = of_track.first() or found.get(model._meta.label_lower)
    return {label: row for label, row in found.items() if row}
