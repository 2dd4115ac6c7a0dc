"""Pages of errors in Chromium: accessible in both schemes, and within a phone's width."""

import os
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from playwright.sync_api import BrowserContext
from pytest_django import Settings

from evaluation.config.urls import handler400, handler429, handler500
from tests.browser.axe import dark_violations, violations

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

SHOTS = os.environ.get("SHOTS", "")
NAMES = ("400", "403", "403_csrf", "404", "409", "413", "429", "500", "503", "archived")
__all__ = ["handler400", "handler429", "handler500"]


def error_page(request: HttpRequest, name: str) -> HttpResponse:
    problem = "Somebody else closed the assignment." if name in ("409", "archived") else ""
    return render(request, f"{name}.html", {"problem": problem, "most_mebibytes": "2.5"})


urlpatterns = [path("errors/<str:name>", error_page), path("", include("evaluation.config.urls"))]


@pytest.mark.parametrize("name", NAMES)
def test_error_page_says_what_to_do(context: BrowserContext, settings: Settings, name: str) -> None:
    settings.ROOT_URLCONF = __name__
    page = context.new_page()
    page.goto(f"/errors/{name}")
    assert violations(page) + dark_violations(page) == []
    assert page.locator("h1").count() == 1
    assert len(page.locator("main p").all_inner_texts()) >= 1
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        if SHOTS:
            page.screenshot(path=Path(SHOTS, f"error-{name}-{width}.png"))
