"""Pages as the assessor of an assignment sees them."""

import html

from django.test import Client
from django.urls import reverse

from assessment.models import Assignment


def page(client: Client, name: str, assignment: Assignment, *place: int) -> str:
    client.force_login(assignment.assessor)
    answer = client.get(reverse(name, args=[assignment.pk, *place]))
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())
