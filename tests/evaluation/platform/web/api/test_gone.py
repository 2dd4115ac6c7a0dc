"""A removed operation answers everybody with 410 and with the words of the CHANGELOG."""

from pathlib import Path

from django.conf import settings
from ninja import NinjaAPI, Router
from ninja.testing import TestClient

from evaluation.config.api import api  # noqa: F401 - it registers the removed operations
from evaluation.platform.web.api.gone import GONE, gone
from evaluation.platform.web.api.operations import TRACK
from evaluation.platform.web.api.problems import answer_with_problems


def test_removed_operation_answers_410_and_is_not_described() -> None:
    router, made = Router(), NinjaAPI(urls_namespace="gone")
    words = "Stamps are removed: write to the organizers instead."
    gone(router, "POST", f"{TRACK}/stamps/{{int:stamp}}", name="stamp_lick", words=words)
    answer_with_problems(made)
    made.add_router("", router)
    answer = TestClient(made).post("/tracks/anything/stamps/7")
    assert answer.status_code == 410
    assert answer.json() == {
        "type": "urn:trackside:gone",
        "title": "Gone",
        "status": 410,
        "detail": words,
    }
    assert not made.get_openapi_schema(path_prefix="")["paths"]
    del GONE["stamp_lick"]


def test_words_of_removed_operations_are_in_the_changelog() -> None:
    changelog = " ".join(Path(settings.ROOT, "CHANGELOG.md").read_text().split())
    assert [words for words in GONE.values() if words not in changelog] == []
