"""The web application that gunicorn serves."""

import os
import sys

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

# Whoever comes back from the database waits this long for another thread's turn to end. A judgment comes back
# ten times; with Python's 5 ms, requests that meet in one process hold each other up for longer than they take.
sys.setswitchinterval(0.0005)

application = get_wsgi_application()
reverse("home")  # reads every address and view now: before the workers are forked, not in each when first asked
