"""The WSGI application that gunicorn serves."""

import os
import sys

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from evaluation.config.utf_8_only import utf_8_only

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")

# After a database call a thread waits up to this long for the GIL. A judgment makes ten such calls; with
# Python's 5 ms, concurrent requests of one process delay each other by more than they take.
sys.setswitchinterval(0.0005)

application = utf_8_only(get_wsgi_application())
# Load the URLconf and views once, before the workers fork; otherwise each does it at its first request.
reverse("home")
