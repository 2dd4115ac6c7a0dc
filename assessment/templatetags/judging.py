"""Template tags of the judging pages: texts of their scripts, and parts of a distribution in words."""

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from assessment.core.distribution import GradeSegment
from assessment.surface.texts import TEXTS

register = template.Library()


@register.simple_tag
def script_texts() -> SafeString:
    """Return the texts of the scripts, in the language of the page, as an element that texts.js reads."""
    return json_script(TEXTS, "texts")


@register.simple_tag
def part_words(part: GradeSegment) -> str:
    """Return a part of a distribution in words, such as "grade 2: 5" or "no grade: 1"."""
    name = gettext("no grade") if part.grade is None else gettext("grade {grade}").format(grade=part.grade)
    return f"{part.name or name}: {part.count}"
