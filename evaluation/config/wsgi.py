"""The web application that gunicorn serves."""

import os
import sys

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

# Whoever comes back from the database waits this long for another thread's turn to end. A judgment comes back
# ten times; with Python's 5 ms, requests that meet in one process hold each other up longer than they take.
sys.setswitchinterval(0.0005)

application = get_wsgi_application()
# Reads every address and view now, once, before the workers are forked: else each does at its first request.
reverse("home")
