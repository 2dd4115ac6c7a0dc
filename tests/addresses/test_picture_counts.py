"""Where one thumbnail stands for an item with several images, the page says how many there are."""

import re

import pytest
from django.db import connection

from evaluation.models import Document, Phase, Topic
from tests.addresses.test_safe_requests import addresses_of
from tests.factories import make_image
from tests.whole_site import WholeSite

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

THUMBNAIL = re.compile(r'<img[^>]*/images/(\w{64})/thumbnail"[^>]*>((?:(?!<img).)*)', re.DOTALL)
DECORATION = re.compile(r'<(div|span) class="(?:strip|pics)">.*?</\1>', re.DOTALL)


def give_more_images() -> set[str]:
    """Give each item with an image two more; return the keys of the first ones."""
    more = [make_image().pk for _ in range(2)]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # judged items are frozen
        for model in (Topic, Document):
            model.objects.filter(image__isnull=False).update(more_images=more)
        cursor.execute("SET LOCAL session_replication_role = origin")
    return {
        key for model in (Topic, Document) for key in model.objects.values_list("image", flat=True) if key
    }


@pytest.mark.parametrize("phase", [Phase.JUDGING, Phase.RELEASED])
def test_pages_say_how_many_pictures_an_item_has(whole_site: WholeSite, phase: Phase) -> None:
    whole_site.enter(phase)
    first = give_more_images()
    assert first
    shown, silent = set(), set()
    for role in ("organizer", "assessor"):
        client = whole_site.client(role)
        for address in addresses_of(whole_site):
            answer = client.get(address)
            content = b"".join(answer)  # reads files to their end, so that they are closed
            if "text/html" not in answer.headers.get("Content-Type", ""):
                continue
            for key, following in THUMBNAIL.findall(DECORATION.sub("", content.decode())):
                if key in first:
                    shown.add(address)
                    if "1 of 3" not in following:
                        silent.add(address)
    assert len(shown) > 3
    assert silent == set()
