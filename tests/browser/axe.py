"""Violations that axe-core finds on a page."""

import json
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Style sheets are not fetched again: axe would put them into the page, where the policy blocks them.
OPTIONS = {"resultTypes": ["violations"], "preload": False}

COLOURS = "color-contrast"  # this rule takes as long as all others together


def violations(page: Page, *, part: str = "html", has_known_colours: bool = False) -> list[str]:
    """Each rule that a part of the page breaks, with the first place where it does."""
    page.evaluate(AXE_SCRIPT)
    rules = {"rules": {COLOURS: {"enabled": not has_known_colours}}}
    return _run(page, part, OPTIONS | rules)


def dark_violations(page: Page) -> list[str]:
    """Violations in dark colours on a page that was already checked in light ones."""
    page.emulate_media(color_scheme="dark")
    found = _run(page, "html", OPTIONS | {"runOnly": [COLOURS]})
    page.emulate_media(color_scheme="light")
    return found


def _run(page: Page, part: str, options: dict[str, Any]) -> list[str]:
    page.wait_for_load_state()  # with its style sheets
    # During a transition a colour belongs to neither scheme.
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished)).then(() => null)")
    call = f"axe.run({json.dumps(part)}, {json.dumps(options)}).then(found => found.violations)"
    found: list[dict[str, Any]] = page.evaluate(call)
    return [f"{each['id']} at {each['nodes'][0]['target'][0]}" for each in found]
