"""Templates are indented, pages are not; a browser shows the same."""

from typing import Any

import pytest
from django.conf import settings
from django.template import Engine, engines

from evaluation.config.backends.templates import collapse_breaks

PRE = '<pre\n  class="a"\n>one\n  two</pre>'


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<p>\n  One word,\n  two.\n</p>\n", "<p>One word, two.</p>"),
        ("<td>\n  {% if a %}\n    1\n  {% endif %}\n</td>", "<td>{% if a %} 1 {% endif %}</td>"),
        ('<tr {% if a > b %}class="on"{% endif %}>\n  <td>', '<tr {% if a > b %}class="on"{% endif %}><td>'),
        ("<b>1</b>\n<small>of 2</small>", "<b>1</b> <small>of 2</small>"),
        ('<a\n  class="btn"\n  href="/"\n>Here</a>', '<a class="btn" href="/">Here</a>'),
        ('<path\n  d="M0 0"\n/>', '<path d="M0 0"/>'),
        ("<b>1</b><i>2  3</i>", "<b>1</b><i>2  3</i>"),
        (f"<p>\n{PRE}\n</p>", f"<p>{PRE}</p>"),
        ("<textarea>\n\n{{ text }}</textarea>\n", "<textarea>\n\n{{ text }}</textarea> "),
        ("<preview>\n</preview>", "<preview> </preview>"),
    ],
)
def test_line_breaks_become_spaces_but_in_preformatted_text(source: str, sent: str) -> None:
    assert collapse_breaks(source) == sent


def test_pages_are_sent_without_indentation_and_mails_with_their_lines() -> None:
    assert "\n" not in engines["django"].from_string("{% include 'messages.html' %}").render(
        {"messages": [1, 2]}
    )
    assert "\n" in _source("mail/run_accepted.txt", is_debugged=False)


def test_debugging_keeps_the_lines_of_the_source() -> None:
    assert "\n  " in _source("404.html", is_debugged=True)
    assert "\n" not in _source("404.html", is_debugged=False)


def _source(name: str, *, is_debugged: bool) -> str:
    configured: Any = settings.TEMPLATES[0]
    loaders, libraries = configured["OPTIONS"]["loaders"], Engine.get_default().libraries
    engine = Engine(dirs=configured["DIRS"], debug=is_debugged, loaders=loaders, libraries=libraries)
    return engine.get_template(name).source
