"""Pictures keep their proportions on every page, at every width."""

import pytest
from django.db import connection, transaction
from playwright.sync_api import BrowserContext, ViewportSize
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Document, RunState, Topic
from tests.browser.judging.surface import make_picture
from tests.browser.signing_in import sign_in
from tests.browser.visits import addresses
from tests.factories import make_run
from tests.whole_site import WholeSite, make_whole_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

SIZES: tuple[ViewportSize, ...] = ({"width": 1440, "height": 900}, {"width": 360, "height": 640})
# Pictures that are painted with other proportions than their own, but for those fitted into their box or cut.
# Pixels are rounded, so a short side may be off by one.
DEFORMED = """async () => {
    const pictures = [...document.images].filter((each) => each.checkVisibility());
    for (const each of pictures) each.loading = "eager";
    await Promise.all(pictures.map((each) => each.decode().catch(() => {})));
    const isOff = (each) => {
        const { naturalWidth: across, naturalHeight: down } = each;
        const style = getComputedStyle(each);
        const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
        if (!across || !width || style.objectFit !== "fill") return false;
        return Math.abs(width - (height * across) / down) > Math.max(1, across / down);
    };
    return pictures.filter(isOff).map((each) => each.outerHTML.slice(0, 200));
}"""


def test_pictures_keep_their_proportions_on_every_page(
    context: BrowserContext, live_server: LiveServer, subtests: pytest.Subtests
) -> None:
    page = context.new_page()
    site = make_whole_site()
    old = make_run(site.task, state=RunState.REPLACED)
    make_run(site.task, old.team, tag=old.tag, replaces=old)
    flat, usual = make_picture(1600, 200), make_picture(1500, 1000)
    visited = [(visit, address) for visit, address in addresses(site).items() if "admin:" not in visit.name]
    for topic_picture, item_picture in ((usual, flat), (flat, usual)):
        give_pictures(site, topic_picture.pk, item_picture.pk)
        with_pictures = []
        for visit, address in visited:
            if visit.phase:
                site.enter(visit.phase)
            sign_in(page.context, site.visitors[visit.role], live_server)
            page.goto(address)
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            if not page.evaluate("document.images.length"):
                continue
            with_pictures.append((visit, address))
            for size in SIZES:
                page.set_viewport_size(size)
                with subtests.test(f"{visit} {size['width']} px"):
                    assert page.evaluate(DEFORMED) == []
        visited = with_pictures
    assert len(visited) > 10


def give_pictures(site: WholeSite, topic: str, item: str) -> None:
    """Give all topics and documents of the task these pictures, as if they had been imported with them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # judged rows are frozen
        Topic.objects.filter(task=site.task).update(image=topic)
        Document.objects.filter(collection=site.task.collection_id).update(image=item)
